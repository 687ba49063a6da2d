package dev.once.jobs;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The lowest job id that a claim reads. Jobs are claimed roughly in the order of their ids, so
 * while there are plenty of ready jobs, the next ones have higher ids than the last. Lower ids are
 * read once per {@link #RESET_INTERVAL}, for jobs that were rescheduled and for jobs whose
 * transaction took long to commit.
 *
 * <p>Without the cursor, a claim scans the dead tuples of all jobs that were claimed before, for as
 * long as PostgreSQL cannot remove them because some transaction stays open.
 *
 * <p>The cursor moves only after claims have reached every tenant: the jobs of the tenants that
 * they did not reach may be older than all that were claimed.
 */
final class ClaimCursor {
  private static final Duration RESET_INTERVAL = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private long from;
  private long resetNanos;

  /** The lowest id that was claimed since the cursor moved. */
  private long lowest = Long.MAX_VALUE;

  /**
   * How many rotations over the tenants have to end before the cursor moves; two if one may be half
   * done now.
   */
  private int rotationsLeft = 2;

  ClaimCursor(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.resetNanos = nanoTime.getAsLong();
  }

  /** Returns the lowest id that the next claim reads. */
  long from() {
    long now = nanoTime.getAsLong();
    if (now - resetNanos > RESET_INTERVAL.toNanos()) {
      resetNanos = now;
      move(0, 2);
    }
    return from;
  }

  /**
   * Records the result of a claim that started after the tenant {@code after}. Returns whether
   * another claim, with lower ids, may find more.
   */
  boolean claimed(String after, List<ClaimedJob> jobs, int wanted) {
    if (jobs.size() < wanted) {
      boolean hasLowerIds = from > 0;
      move(0, 2);
      return hasLowerIds;
    }
    lowest = Math.min(lowest, jobs.stream().mapToLong(ClaimedJob::id).min().orElse(0));
    boolean isRotationOver =
        jobs.stream().anyMatch(job -> job.key().tenant().compareTo(after) <= 0);
    if (isRotationOver && --rotationsLeft == 0) {
      move(lowest, 1);
    }
    return false;
  }

  private void move(long from, int rotationsLeft) {
    this.from = from;
    this.rotationsLeft = rotationsLeft;
    this.lowest = Long.MAX_VALUE;
  }
}
