package dev.once.console;

import java.util.Optional;

/** A call that is answered with an error. The message is shown to the user. */
final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  private ApiException(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }

  static ApiException invalid(String message) {
    return new ApiException(400, message);
  }

  /** Returns text from outside, unless it is empty; no database stores the character NUL. */
  static Optional<String> checked(String name, Optional<String> value) {
    if (value.filter(it -> it.indexOf(0) >= 0).isPresent()) {
      throw invalid(name + " has a character that no text has");
    }
    return value.filter(it -> !it.isEmpty());
  }

  static ApiException unauthenticated() {
    return new ApiException(401, "a valid token is needed");
  }

  static ApiException forbidden(String message) {
    return new ApiException(403, message);
  }

  /** Says the same of what does not exist and of what the user may not see. */
  static ApiException absent(String what) {
    return new ApiException(404, "there is no such " + what);
  }

  static ApiException conflict(String message) {
    return new ApiException(409, message);
  }

  static ApiException unsupported(String message) {
    return new ApiException(415, message);
  }

  static ApiException notAllowed() {
    return new ApiException(405, "reading is GET, an action is POST");
  }

  static ApiException tooLarge() {
    return new ApiException(413, "the body is too large");
  }

  static ApiException failed() {
    return new ApiException(500, "this failed: the log of the application says why");
  }

  static ApiException busy() {
    return new ApiException(503, "too many calls at the same time: try again");
  }

  static ApiException unavailable() {
    return new ApiException(503, "the store does not answer: try again");
  }
}
