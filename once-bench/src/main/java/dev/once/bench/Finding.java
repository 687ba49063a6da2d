package dev.once.bench;

import java.util.Locale;
import java.util.Optional;

/**
 * A measured ratio and the aim for it.
 *
 * @param work what Once did
 * @param against what it is compared with
 * @param ratio the measured value
 * @param bound the value that the ratio should reach
 * @param isFloor whether more is better
 */
record Finding(String work, String against, double ratio, double bound, boolean isFloor) {
  /** For speeds. */
  static Finding atLeast(double bound, String work, String against, double ratio) {
    return new Finding(work, against, ratio, bound, true);
  }

  /** For costs, times and counts of what shall not happen. */
  static Finding atMost(double bound, String work, String against, double ratio) {
    return new Finding(work, against, ratio, bound, false);
  }

  /** Returns empty for rows that are there for comparison only. */
  Optional<Finding> when(boolean isAimed) {
    return isAimed ? Optional.of(this) : Optional.empty();
  }

  /** Creates a table for aims that cover more than one row of another table. */
  static Table table() {
    return new Table("Aims", "work | against | ratio | aim | met");
  }

  void addTo(Table table) {
    table.row(work, against, ratio, this);
  }

  boolean met() {
    return isFloor ? ratio >= bound : ratio <= bound;
  }

  String aim() {
    String shortest =
        bound == Math.rint(bound) ? Long.toString(Math.round(bound)) : Double.toString(bound);
    return String.format(Locale.ROOT, isFloor ? "≥ %s" : "≤ %s", shortest);
  }
}
