package dev.once.testkit;

import dev.once.Key;

/**
 * A transaction that does not belong to the store and works on the record of a key: that of an
 * operator, a backup or another application.
 *
 * @param name what it does, for the name of a test
 * @param onExpiredRecords whether it finds expired records alone, as a purge does
 * @param opening begins it
 */
public record ForeignTransaction(String name, boolean onExpiredRecords, Opening opening) {
  /** Begins a transaction. */
  @FunctionalInterface
  public interface Opening {
    /** Does the transaction's work on the record of {@code key}. Closing the result rolls back. */
    AutoCloseable open(Key key) throws Exception;
  }
}
