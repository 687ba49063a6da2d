package dev.once.client;

import org.jspecify.annotations.Nullable;

/** The file of a queue could not be read or written. What was acknowledged before is in it. */
public final class QueueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public QueueException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
