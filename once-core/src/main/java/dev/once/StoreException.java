package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * The store did not answer, or its answer cannot be trusted: a change may or may not have been
 * made, unless this is a {@link StoreUnavailableException}. Thrown by {@link Once#run}, it means
 * that the effect did not happen: the claim failed, or, in a caller's transaction, everything was
 * undone. After a leased effect the engine throws {@link OutcomeUnknownException} instead. (An
 * effect that does not catch the exception of a nested call throws it as its own.)
 */
public sealed class StoreException extends OnceException permits StoreUnavailableException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
