package dev.once.jdbc.internal;

import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import dev.once.UnreadableOutcomeException;

/** A failure that several calls have in common. */
public final class SharedFailure {
  private SharedFailure() {}

  /**
   * Returns an exception for one of the calls. Each call gets its own, because callers add
   * suppressed exceptions to it. Only an {@link UnreadableOutcomeException}, which is about the
   * record itself, is returned as it is.
   */
  public static RuntimeException forOneCall(Throwable failure) {
    if (failure instanceof UnreadableOutcomeException e) {
      return e;
    }
    String message = String.valueOf(failure.getMessage());
    return failure instanceof StoreUnavailableException
        ? new StoreUnavailableException(message, failure)
        : new StoreException(message, failure);
  }
}
