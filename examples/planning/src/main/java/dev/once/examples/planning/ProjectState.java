package dev.once.examples.planning;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Whether missions and collaborators may be added to a project. */
enum ProjectState {
  ACTIVE,
  ARCHIVED;

  /** Returns the state's name in JSON and in the database. */
  @JsonValue
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static ProjectState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
