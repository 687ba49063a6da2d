/**
 * Keeps records in PostgreSQL. Start with {@link dev.once.jdbc.JdbcRecordStore}; {@link
 * dev.once.jdbc.JdbcSchema} creates its table. Each SQL statement has a class of its own.
 */
@NullMarked
package dev.once.jdbc;

import org.jspecify.annotations.NullMarked;
