package dev.once.examples.payments;

import java.util.SplittableRandom;

/**
 * Decides what goes wrong. Every decision comes from the seed and from what it is about, not from
 * the order in which requests happen to come: the same seed does the same to the same order.
 *
 * @param share how much of the trouble is made, from 0 for none to 1 for all of it
 */
record Chaos(long seed, double share) {
  boolean happens(String what, String id, double probability) {
    return random(what, id).nextDouble() < probability * share;
  }

  /** A time between two others. */
  long millis(String what, String id, long least, long most) {
    return random(what, id).nextLong(least, most + 1);
  }

  private SplittableRandom random(String what, String id) {
    return new SplittableRandom(seed * 31 + (what + '\n' + id).hashCode());
  }
}
