/**
 * For modules of Once that keep tables of their own beside the records: {@link
 * dev.once.jdbc.spi.Schema} brings them about, {@link dev.once.jdbc.spi.TransactionRunner} runs statements on
 * them. Users of the store need none of it.
 */
@NullMarked
package dev.once.jdbc.spi;

import org.jspecify.annotations.NullMarked;
