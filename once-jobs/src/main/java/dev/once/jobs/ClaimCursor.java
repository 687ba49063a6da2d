package dev.once.jobs;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How far back a claim looks. Jobs are claimed in the order of their ids, more or less, so while
 * there is plenty of work the next ones come after the last. What is behind that is looked at once
 * in a while: jobs that came back, and those whose transaction took long to commit.
 *
 * <p>Without it a claim walks through what is left of all jobs that were claimed before, for as
 * long as PostgreSQL cannot remove it because some transaction stays open.
 *
 * <p>It moves only when every tenant has had its turn: the jobs of those that had none may be older
 * than all that were claimed.
 */
final class ClaimCursor {
  private static final Duration LOOK_BACK = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private long from;
  private long lookedBackNanos;

  /** The lowest id that was claimed since the horizon moved. */
  private long lowest = Long.MAX_VALUE;

  /** How often the round has to come to its end; twice if it may be halfway round now. */
  private int ends = 2;

  ClaimCursor(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lookedBackNanos = nanoTime.getAsLong();
  }

  /** The lowest id to look at now. */
  long from() {
    long now = nanoTime.getAsLong();
    if (now - lookedBackNanos > LOOK_BACK.toNanos()) {
      lookedBackNanos = now;
      move(0, 2);
    }
    return from;
  }

  /**
   * Told what a claim that began after the tenant {@code after} brought. Returns whether it is
   * worth another look, further back.
   */
  boolean claimed(String after, List<ClaimedJob> jobs, int wanted) {
    if (jobs.size() < wanted) {
      boolean looksAgain = from > 0;
      move(0, 2);
      return looksAgain;
    }
    lowest = Math.min(lowest, jobs.stream().mapToLong(ClaimedJob::id).min().orElse(0));
    boolean isRoundOver = jobs.stream().anyMatch(job -> job.key().tenant().compareTo(after) <= 0);
    if (isRoundOver && --ends == 0) {
      move(lowest, 1);
    }
    return false;
  }

  private void move(long from, int ends) {
    this.from = from;
    this.ends = ends;
    this.lowest = Long.MAX_VALUE;
  }
}
