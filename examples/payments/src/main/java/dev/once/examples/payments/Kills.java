package dev.once.examples.payments;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Decides when the shop is killed: several times during the run, at moments that depend on the
 * seed.
 */
final class Kills {
  private static final int FEWEST = 3;
  private static final int MOST = 6;
  private static final int ORDERS_PER_KILL = 150;

  private final List<Integer> moments = new ArrayList<>();
  private int count;

  Kills(int orders, long seed) {
    Random random = new Random(seed);
    int kills = Math.max(FEWEST, Math.min(MOST, orders / ORDERS_PER_KILL));
    double span = (double) orders / (kills + 1);
    for (int i = 0; i < kills; i++) {
      moments.add((int) (span * (i + random.nextDouble())));
    }
  }

  /** Returns whether the shop has booked enough payments to be killed again. */
  boolean isDue(int booked) {
    boolean due = count < moments.size() && booked > moments.get(count);
    count += due ? 1 : 0;
    return due;
  }

  int count() {
    return count;
  }
}
