package dev.once.gateway;

/** Settings that cannot be used. The message names the place, the value and the way out. */
class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SettingsException(String message) {
    super(message);
  }

  SettingsException(String message, Throwable cause) {
    super(message, cause);
  }
}
