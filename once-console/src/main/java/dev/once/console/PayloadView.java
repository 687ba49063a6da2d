package dev.once.console;

import java.util.Locale;

/** How much a user sees of what is stored: bodies, values of headers, messages of failures. */
public enum PayloadView {
  /** Sizes and names alone. */
  HIDDEN,
  /**
   * JSON without secrets and with masked phone numbers, as {@link dev.once.json.Redactor} does it;
   * nothing of other bodies.
   */
  MASKED,
  /** Everything. */
  FULL;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
