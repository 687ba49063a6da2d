package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * The store did nothing: the call was not sent, or the store refused it and changed nothing. There
 * was no connection, for example, or too many calls were waiting for one.
 */
public final class StoreUnavailableException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
