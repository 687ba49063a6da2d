package dev.once.jdbc.spi;

import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import dev.once.UnreadableOutcomeException;

/** A failure that several calls have in common. */
public final class SharedFailure {
  private SharedFailure() {}

  /**
   * An exception for one of the calls. Each gets its own, because callers add to what they catch;
   * only what is wrong with the record itself is thrown as it is.
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
