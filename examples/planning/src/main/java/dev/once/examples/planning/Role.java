package dev.once.examples.planning;

import java.util.Locale;

/** What the holder of a token may do. */
enum Role {
  /** Reads and writes. */
  PLANNER,
  /** Reads. */
  VIEWER,
  /** Watches over the service and sees no tenant's data. */
  OPERATOR;

  /** The role's name in the database and in the filter chain. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
