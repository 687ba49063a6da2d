package dev.once.gateway;

/** Thrown when a body cannot be kept now. Nothing was claimed or sent. */
final class NoSpaceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoSpaceException(String message) {
    super(message);
  }

  NoSpaceException(String message, Throwable cause) {
    super(message, cause);
  }
}
