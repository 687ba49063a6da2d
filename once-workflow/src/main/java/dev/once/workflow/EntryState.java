package dev.once.workflow;

import java.util.Locale;

/** The states of an entry of a history. */
enum EntryState {
  /** Its effect may have happened. */
  BEGUN,
  /** It waits for time, a signal, or a child. */
  WAITING,
  /** Whether its effect happened has to be asked. */
  UNCERTAIN,
  /** A compensation that may become necessary. */
  REGISTERED,
  DONE,
  FAILED,
  /** No signal arrived in time. */
  EXPIRED,
  /** Another branch won. */
  ABANDONED;

  String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isWaiting() {
    return this == WAITING || this == UNCERTAIN;
  }

  boolean hasEnded() {
    return this == DONE || this == FAILED || this == EXPIRED || this == ABANDONED;
  }

  static EntryState of(String code) {
    return valueOf(code.toUpperCase(Locale.ROOT));
  }
}
