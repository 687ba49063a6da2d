package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * A broken promise or a failing environment. Each type says which of three holds: the effect
 * happened, it did not, or it is unknown whether it did.
 */
public abstract class OnceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected OnceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
