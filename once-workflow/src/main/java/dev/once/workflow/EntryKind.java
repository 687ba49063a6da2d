package dev.once.workflow;

import java.util.Locale;

/** What an entry of a history stands for. */
enum EntryKind {
  STEP,
  TIMER,
  SIGNAL,
  CHILD,
  CHOICE,
  COMPENSATION;

  String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  static EntryKind of(String code) {
    return valueOf(code.toUpperCase(Locale.ROOT));
  }
}
