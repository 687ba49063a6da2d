package dev.once.bench;

import java.util.Optional;

/**
 * A ratio that somebody is promised, and what became of it.
 *
 * @param work what Once did
 * @param against what it is held against
 * @param ratio how it fared
 */
record Finding(String work, String against, double ratio, Aim aim) {
  /** Lines of a table that are there for comparison have none. */
  static Optional<Finding> when(
      boolean isAimed, String work, String against, double ratio, Aim aim) {
    return isAimed ? Optional.of(new Finding(work, against, ratio, aim)) : Optional.empty();
  }

  /** For aims that are about more than one line of another table. */
  static Table table() {
    return new Table("Aims", "work", "against", "ratio", "aim", "met");
  }

  void addTo(Table table) {
    table.row(work, against, ratio, this);
  }

  boolean met() {
    return aim.isMetBy(ratio);
  }

  String verdict() {
    return met() ? "yes" : "no";
  }
}
