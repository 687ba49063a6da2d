package dev.once.jdbc;

/**
 * How many of the latest claims found a record. Where that is rare, a claim is first sent as an
 * insert; where it is common, inserts would mostly be in vain. Only speed depends on it, so
 * concurrent updates may overwrite each other.
 */
final class DuplicateRate {
  /** An insert in vain costs another round trip, a look in vain about a third of one. */
  private static final double HIGH = 0.25;

  /** About so many claims back. */
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
