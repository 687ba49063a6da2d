package dev.once.gateway;

/** What a request carries does not prove who sent it. The message never has the credentials. */
final class BadCredentialsException extends Exception {
  private static final long serialVersionUID = 1L;

  BadCredentialsException(String message) {
    super(message, null, false, false); // An answer, not a defect: no stack trace.
  }
}
