package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * The store did not answer, or not in a way that can be trusted: a change may or may not have been
 * made, unless it is a {@link StoreUnavailableException}. Thrown by {@link Once#run}, it means that
 * the effect did not happen: the claim failed, or, in a caller's transaction, everything was
 * undone. After a leased effect the engine throws {@link OutcomeUnknownException} instead. (An
 * effect that lets the exception of a nested call pass throws it as its own.)
 */
public sealed class StoreException extends OnceException permits StoreUnavailableException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
