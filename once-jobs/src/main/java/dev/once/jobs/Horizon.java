package dev.once.jobs;

import java.time.Duration;
import java.util.List;

/**
 * How far back a claim looks. Jobs are claimed in the order of their ids, more or less, so while
 * there is plenty of work the next ones come after the last. What is behind that is looked at once
 * in a while: jobs that came back, and those whose transaction took long to commit.
 *
 * <p>Without it a claim walks through what is left of all jobs that were claimed before, for as
 * long as PostgreSQL cannot remove it because some transaction stays open.
 */
final class Horizon {
  private static final Duration LOOK_BACK = Duration.ofSeconds(1);

  private long from;
  private long lookedBackNanos = System.nanoTime();

  /** The lowest id to look at now. */
  long from() {
    long now = System.nanoTime();
    if (now - lookedBackNanos > LOOK_BACK.toNanos()) {
      lookedBackNanos = now;
      from = 0;
    }
    return from;
  }

  /** Returns whether it is worth another look, further back. */
  boolean claimed(List<ClaimedJob> jobs, int wanted) {
    boolean isShort = jobs.size() < wanted;
    boolean looksAgain = isShort && from > 0;
    from = isShort ? 0 : jobs.stream().mapToLong(ClaimedJob::id).min().orElse(0);
    return looksAgain;
  }
}
