package dev.once.bench;

/** Says whether a ratio is where it shall be. */
final class Aim {
  private Aim() {}

  static String atLeast(double ratio, double aim) {
    return ratio >= aim ? "yes" : "no";
  }

  static String atMost(double ratio, double aim) {
    return ratio <= aim ? "yes" : "no";
  }

  static String isNone(long count) {
    return count == 0 ? "yes" : "no";
  }
}
