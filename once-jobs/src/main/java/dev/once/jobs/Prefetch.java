package dev.once.jobs;

import java.util.concurrent.TimeUnit;

/**
 * Computes how many jobs a process holds at a time: one for each slot, and as many more as it will
 * start in the next {@link #WINDOW_NANOS}, by its recent rate. So short jobs are claimed in large
 * batches, and long jobs are left to processes that have a free slot.
 */
final class Prefetch {
  private static final int MAX_AHEAD = 1000;
  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The weight of the newest measurement. */
  private static final double NEWEST_WEIGHT = 0.5;

  /** A shorter time is too short to measure the rate. */
  private static final long MIN_MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final int slots;
  private long measuredNanos = System.nanoTime();
  private long ended;
  private double endedPerWindow;

  Prefetch(int slots) {
    this.slots = slots;
  }

  /** Records that {@code jobs} runs have ended. */
  synchronized void ended(int jobs) {
    ended += jobs;
  }

  /** Returns how many jobs to hold now. */
  synchronized int jobs() {
    return jobs(MIN_MEASURE_NANOS);
  }

  /**
   * Returns the same without measuring often: jobs of one transaction end together, so between two
   * such ends the rate would seem to be 0.
   */
  synchronized int recent() {
    return jobs(WINDOW_NANOS);
  }

  private int jobs(long minNanos) {
    long now = System.nanoTime();
    long nanos = now - measuredNanos;
    if (nanos >= minNanos) {
      double speed = (double) ended / nanos * WINDOW_NANOS;
      endedPerWindow = NEWEST_WEIGHT * speed + (1 - NEWEST_WEIGHT) * endedPerWindow;
      measuredNanos = now;
      ended = 0;
    }
    return slots + (int) Math.min(MAX_AHEAD, endedPerWindow);
  }
}
