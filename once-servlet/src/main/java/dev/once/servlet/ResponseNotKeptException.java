package dev.once.servlet;

/** The cause of a release after a handler has answered: the answer is not kept. */
final class ResponseNotKeptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ResponseNotKeptException(int status) {
    super("answers with status " + status + " are not kept", null, false, false);
  }
}
