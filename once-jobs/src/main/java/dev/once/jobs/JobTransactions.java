package dev.once.jobs;

import dev.once.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The source of transactions for jobs: JDBC alone, or a framework. Thread-safe. */
public interface JobTransactions {
  /** What is done in a transaction. */
  @FunctionalInterface
  interface Callback<T extends @Nullable Object, X extends Exception> {
    T execute(Connection connection) throws X, SQLException;
  }

  /**
   * Executes {@code callback} in a new transaction and commits it, or rolls it back if {@code
   * callback} throws.
   *
   * @throws StoreException if no transaction can be opened, or its commit failed
   */
  <T extends @Nullable Object, X extends Exception> T execute(Callback<T, X> callback)
      throws X, SQLException;

  /** Returns the connection of the caller's transaction, if the framework has one. */
  Optional<Connection> current();

  /** Runs {@code action} after the caller's transaction has committed, and not if it rolls back. */
  void afterCommit(Runnable action);
}
