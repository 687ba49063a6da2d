package dev.once.events;

import java.util.Locale;

/** How far a handler is with an event. */
public enum ProcessedState {
  /** A consumer handles it, until its lease ends. */
  PROCESSING,
  /** It was handled. */
  DONE,
  /** Its last attempt failed, and the next one is to come. */
  FAILED,
  /** It was given up. */
  SKIPPED,
  /** It was given up and handed to the {@link DeadLetterSink}. */
  DEAD;

  /** Returns the name in the column {@code state}. */
  String column() {
    return name().toLowerCase(Locale.ROOT);
  }

  static ProcessedState of(String column) {
    return valueOf(column.toUpperCase(Locale.ROOT));
  }
}
