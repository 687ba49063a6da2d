package dev.once.jobs;

import dev.once.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where jobs get their transactions from: from JDBC alone, or from a framework. Thread-safe. */
public interface JobTransactions {
  /** What is done in a transaction. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object, X extends Exception> {
    T execute(Connection connection) throws X, SQLException;
  }

  /**
   * Executes {@code work} in a new transaction and commits it, or rolls it back if {@code work}
   * throws.
   *
   * @throws StoreException if there is no transaction to be had, or its commit failed
   */
  <T extends @Nullable Object, X extends Exception> T execute(Work<T, X> work)
      throws X, SQLException;

  /** The connection of the transaction that the caller is in, if the framework knows of one. */
  Optional<Connection> current();

  /** Runs {@code action} after the caller's transaction is committed, and not if it is not. */
  void afterCommit(Runnable action);
}
