package dev.once.spring;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When the purge runs. Nodes that started together draw different pauses, so that they do not purge
 * at the same moment.
 *
 * @param every the pause between two runs, on average
 * @param random the source of the differences between nodes
 */
record PurgeInterval(Duration every, RandomGenerator random) {
  /** Limits the first pause, so that a node that restarts often still purges. */
  static final Duration LONGEST_FIRST = Duration.ofMinutes(1);

  private static final double JITTER = 0.1;

  /** Returns the pause after the start. */
  Duration first() {
    return times(every.compareTo(LONGEST_FIRST) < 0 ? every : LONGEST_FIRST, random.nextDouble());
  }

  /** Returns the pause after a run. */
  Duration next() {
    return times(every, 1 - JITTER + 2 * JITTER * random.nextDouble());
  }

  private static Duration times(Duration time, double factor) {
    return Duration.ofNanos((long) (time.toNanos() * factor));
  }
}
