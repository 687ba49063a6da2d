package dev.once.servlet;

/** Why a grant is given back after a handler answered: its contract keeps no such answers. */
final class ResponseNotKeptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ResponseNotKeptException(int status) {
    super("answers with status " + status + " are not kept", null, false, false);
  }
}
