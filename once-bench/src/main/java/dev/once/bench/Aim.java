package dev.once.bench;

import java.util.Locale;

/**
 * The bound that a ratio must reach.
 *
 * @param isFloor whether more is better
 */
record Aim(double bound, boolean isFloor) {
  /** For speeds. */
  static Aim atLeast(double bound) {
    return new Aim(bound, true);
  }

  /** For costs, times and counts of what shall not happen. */
  static Aim atMost(double bound) {
    return new Aim(bound, false);
  }

  boolean isMetBy(double ratio) {
    return isFloor ? ratio >= bound : ratio <= bound;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, isFloor ? "≥ %s" : "≤ %s", shortest(bound));
  }

  private static String shortest(double value) {
    return value == Math.rint(value) ? Long.toString(Math.round(value)) : Double.toString(value);
  }
}
