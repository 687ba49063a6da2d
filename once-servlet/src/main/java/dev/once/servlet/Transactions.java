package dev.once.servlet;

import dev.once.EffectRunner;
import dev.once.Once;
import dev.once.StoreException;
import org.jspecify.annotations.Nullable;

/** Opens the database transactions in which transactional routes claim, execute and complete. */
public interface Transactions {
  /** The work of one transaction. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object, X extends Exception> {
    /**
     * Executes with an engine that is joined to the transaction.
     *
     * @see Once#joining
     */
    T execute(EffectRunner joined) throws X;
  }

  /**
   * Executes {@code work} in a new transaction and commits it, or rolls it back if {@code work}
   * throws.
   *
   * @throws StoreException if no transaction could be started: nothing was executed
   * @throws RolledBackException if {@code work} returned but had marked the transaction for
   *     rollback, and it was rolled back
   * @throws CommitFailedException if it is unknown whether the commit succeeded
   */
  <T extends @Nullable Object, X extends Exception> T execute(Work<T, X> work) throws X;

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
