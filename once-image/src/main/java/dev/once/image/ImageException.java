package dev.once.image;

/** The image cannot be written; the message says what to do. */
final class ImageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ImageException(String message) {
    super(message);
  }
}
