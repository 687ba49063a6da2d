package dev.once.gateway;

import java.io.IOException;

/** Thrown to the reader of a body that arrives too slowly. */
final class SlowBodyException extends IOException {
  private static final long serialVersionUID = 1L;

  SlowBodyException(String message) {
    super(message);
  }

  /** Returns whether a body could not be read because it arrived too slowly. */
  static boolean isCauseOf(Throwable failure) {
    for (Throwable it = failure; it != null; it = it.getCause()) {
      if (it instanceof SlowBodyException) {
        return true;
      }
    }
    return false;
  }
}
