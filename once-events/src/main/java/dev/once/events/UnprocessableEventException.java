package dev.once.events;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by an effect for an event that no further attempt can handle. It is given up immediately,
 * as after the last attempt.
 */
public final class UnprocessableEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnprocessableEventException(String reason) {
    this(reason, null);
  }

  public UnprocessableEventException(String reason, @Nullable Throwable cause) {
    super(reason, cause);
  }
}
