package dev.once.cli;

/** The arguments do not fit together. The command's usage is printed after the message. */
final class Misuse extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Misuse(String message) {
    super(message);
  }
}
