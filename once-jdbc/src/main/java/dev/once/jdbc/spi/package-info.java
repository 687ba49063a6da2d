/**
 * For modules of Once that have their own tables beside the records: {@link
 * dev.once.jdbc.spi.Schema} creates the tables, {@link dev.once.jdbc.spi.TransactionRunner} runs
 * statements on them. Users of the store need none of it.
 */
@NullMarked
package dev.once.jdbc.spi;

import org.jspecify.annotations.NullMarked;
