package dev.once.jdbc;

/**
 * The share of recent claims that found a record. While it is low, a claim is first sent as an
 * insert; while it is high, most inserts would be wasted. Only speed depends on it, so concurrent
 * updates may overwrite each other.
 */
final class DuplicateRate {
  /** A wasted insert costs another round trip, a wasted look-up about a third of one. */
  private static final double HIGH = 0.25;

  /** About how many of the latest claims the rate covers. */
  private static final double MEMORY = 64;

  private volatile double rate;

  boolean isHigh() {
    return rate > HIGH;
  }

  void saw(int claims, int duplicates) {
    if (claims > 0) {
      double weight = Math.min(1, claims / MEMORY);
      double before = rate;
      rate = before + weight * ((double) duplicates / claims - before);
    }
  }
}
