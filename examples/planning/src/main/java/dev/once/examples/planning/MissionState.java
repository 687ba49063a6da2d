package dev.once.examples.planning;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How far the plan of a mission is settled. */
enum MissionState {
  /** Everything can change. */
  PLANNED,
  /** When it takes place and who takes part is settled. */
  LOCKED,
  /** Kept to be looked at. */
  ARCHIVED;

  /** The state's name in JSON and in the database. */
  @JsonValue
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static MissionState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
