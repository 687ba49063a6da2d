package dev.once.examples.payments;

import java.util.SplittableRandom;

/**
 * Decides what goes wrong. Every decision depends on the seed and on its subject, not on the order
 * in which requests arrive: the same seed does the same to the same order.
 *
 * @param share how many of the faults occur, from 0 for none to 1 for all of them
 */
record Chaos(long seed, double share) {
  boolean happens(String what, String id, double probability) {
    return random(what, id).nextDouble() < probability * share;
  }

  /** Returns a time from {@code least} to {@code most}. */
  long millis(String what, String id, long least, long most) {
    return random(what, id).nextLong(least, most + 1);
  }

  private SplittableRandom random(String what, String id) {
    return new SplittableRandom(seed * 31 + (what + '\n' + id).hashCode());
  }
}
