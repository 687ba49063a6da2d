package dev.once.jobs;

import java.util.concurrent.TimeUnit;

/**
 * How many jobs a process takes at a time: one for each slot, and as many more as it will begin in
 * the next moment, going by how fast it was. So short jobs travel in large groups, and long ones
 * are left to whoever has a slot for them.
 */
final class Prefetch {
  private static final int MAX_AHEAD = 1000;
  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How much the newest look counts. */
  private static final double NEWEST = 0.5;

  /** A shorter time tells nothing about speed. */
  private static final long MIN_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final int slots;
  private long looked = System.nanoTime();
  private long ended;
  private double endedInMoment;

  Prefetch(int slots) {
    this.slots = slots;
  }

  /** A job was finished, or otherwise is out of hand. */
  synchronized void ended(int jobs) {
    ended += jobs;
  }

  /** How many jobs to have in hand now. */
  synchronized int jobs() {
    long now = System.nanoTime();
    long nanos = now - looked;
    if (nanos >= MIN_LOOK_NANOS) {
      double speed = (double) ended / nanos * MOMENT_NANOS;
      endedInMoment = NEWEST * speed + (1 - NEWEST) * endedInMoment;
      looked = now;
      ended = 0;
    }
    return slots + (int) Math.min(MAX_AHEAD, endedInMoment);
  }
}
