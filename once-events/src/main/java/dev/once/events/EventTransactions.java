package dev.once.events;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The source of transactions for {@link TransactionalEventEffect}s: a framework's, so that other
 * code of the effect joins them. Thread-safe.
 */
@FunctionalInterface
public interface EventTransactions {
  /**
   * Executes {@code callback} in a new transaction on the database of the registry and commits it,
   * or rolls it back if {@code callback} throws.
   *
   * @throws RolledBackException if the commit failed and the transaction is known to be rolled back
   * @throws SQLException as {@code callback} does, or if the database fails
   */
  void execute(Callback callback) throws SQLException;

  /** What is executed in a transaction. */
  @FunctionalInterface
  interface Callback {
    void execute(Connection connection) throws SQLException;
  }

  /** A commit failed, and nothing of its transaction has happened. */
  final class RolledBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RolledBackException(Throwable cause) {
      super("the transaction was rolled back: " + cause, cause);
    }
  }
}
