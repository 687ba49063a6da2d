package dev.once.gateway;

/** The keys that tokens are verified with cannot be had, so nothing is known about a token. */
final class KeysUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KeysUnavailableException(Throwable cause) {
    super("the keys that verify tokens cannot be fetched: " + cause.getMessage(), cause);
  }
}
