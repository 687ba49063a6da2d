package dev.once.servlet;

import dev.once.EffectRunner;
import dev.once.Once;
import dev.once.StoreException;
import org.jspecify.annotations.Nullable;

/** Opens the database transactions in which transactional routes claim, execute and complete. */
public interface Transactions {
  /** What is done in one transaction. */
  @FunctionalInterface
  interface Callback<T extends @Nullable Object, X extends Exception> {
    /**
     * Executes with an engine that is joined to the transaction.
     *
     * @see Once#joining
     */
    T execute(EffectRunner joined) throws X;
  }

  /**
   * Executes {@code callback} in a new transaction and commits it, or rolls it back if {@code
   * callback} throws.
   *
   * @throws StoreException if no transaction could be started: nothing was executed
   * @throws RolledBackException if {@code callback} returned but had marked the transaction for
   *     rollback, and it was rolled back
   * @throws CommitFailedException if it is unknown whether the commit succeeded
   */
  <T extends @Nullable Object, X extends Exception> T execute(Callback<T, X> callback) throws X;

  /** Thrown when everything that was done in the transaction is undone. */
  final class RolledBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RolledBackException() {
      super("the transaction was marked to be rolled back", null, false, false);
    }
  }

  /** Thrown when it is unknown whether the transaction was committed. */
  final class CommitFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommitFailedException(Throwable cause) {
      super("the commit failed", cause);
    }
  }
}
