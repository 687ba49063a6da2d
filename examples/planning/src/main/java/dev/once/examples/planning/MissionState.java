package dev.once.examples.planning;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How much of a mission may still change. */
enum MissionState {
  /** Everything can change. */
  PLANNED,
  /** The times and the assignments are fixed. */
  LOCKED,
  /** Read-only until it is unarchived. */
  ARCHIVED;

  /** Returns the state's name in JSON and in the database. */
  @JsonValue
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static MissionState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
