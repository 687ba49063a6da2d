package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * The store did not answer, or not in a way that can be trusted. Thrown to a caller of {@link
 * Once#run}, it means that the effect did not run: the claim failed. After an effect the engine
 * throws {@link OutcomeUnknownException} instead.
 */
public final class StoreException extends OnceException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
