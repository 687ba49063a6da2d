/**
 * Support for tests of Once, of a store or of an application on top of it: the contract that every
 * store keeps, clocks and faults that a test controls, and real servers.
 *
 * <p>Start with {@code RecordStoreContract} to test a store, and with {@link
 * dev.once.embedded.EmbeddedPostgres} for a database to test it on.
 */
@NullMarked
package dev.once.testkit;

import org.jspecify.annotations.NullMarked;
