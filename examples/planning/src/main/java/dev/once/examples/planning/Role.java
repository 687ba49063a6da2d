package dev.once.examples.planning;

import java.util.Locale;

/** The permissions of a token. */
enum Role {
  /** Reads and writes. */
  PLANNER,
  /** Reads. */
  VIEWER,
  /** Monitors the service and sees no tenant's data. */
  OPERATOR;

  /** Returns the role's name in the database and in the filter chain. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
