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

  boolean met() {
    return aim.isMetBy(ratio);
  }

  String verdict() {
    return met() ? "yes" : "no";
  }
}
