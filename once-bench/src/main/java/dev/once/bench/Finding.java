package dev.once.bench;

import java.util.Optional;

/**
 * A measured ratio and the aim for it.
 *
 * @param work what Once did
 * @param against what it is compared with
 * @param ratio the measured value
 */
record Finding(String work, String against, double ratio, Aim aim) {
  /** Returns empty for table rows that are there for comparison only. */
  static Optional<Finding> when(
      boolean isAimed, String work, String against, double ratio, Aim aim) {
    return isAimed ? Optional.of(new Finding(work, against, ratio, aim)) : Optional.empty();
  }

  /** Creates a table for aims that cover more than one row of another table. */
  static Table table() {
    return new Table("Aims", "work", "against", "ratio", "aim", "met");
  }

  void addTo(Table table) {
    table.row(work, against, ratio, this);
  }

  boolean met() {
    return aim.isMetBy(ratio);
  }

  String trialResult() {
    return met() ? "yes" : "no";
  }
}
