package dev.once.bench;

import java.io.Closeable;
import java.time.Duration;

/**
 * Works off a backlog of enqueued jobs.
 *
 * @param jobs the size of the backlog
 */
record JobBacklog(BenchDatabase database, RunRows rows, int jobs) {
  static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int ENQUEUED_AT_ONCE = 1_000;

  JobTimeline fill(JobQueue queue) {
    queue.clear();
    rows.clear();
    JobTimeline log = new JobTimeline(jobs);
    for (int from = 0; from < jobs; from += ENQUEUED_AT_ONCE) {
      queue.enqueue(log.jobs(from, Math.min(jobs, from + ENQUEUED_AT_ONCE)));
    }
    database.settle();
    return log;
  }

  /**
   * Works off a new backlog, from the start of the first job until the queue has marked the last
   * one as done, and checks that each job ran once.
   */
  Round workOff(JobQueue queue, JobQueue.Effect effect) throws Exception {
    JobTimeline log = fill(queue);
    Round round;
    Closeable workers = queue.start(log.around(effect));
    try (workers) {
      log.awaitAll(PATIENCE);
      awaitFinished(queue);
      round = Round.untimed(jobs, System.nanoTime() - log.firstStart());
    }
    log.requireOnce();
    long wanted = effect.equals(rows) ? jobs : 0;
    if (rows.ids() != wanted || rows.repeated() != 0) {
      throw new IllegalStateException(
          "%d jobs must leave a row each, found %d, %d of them with more than one"
              .formatted(wanted, rows.ids(), rows.repeated()));
    }
    return round;
  }

  /** Returns when no job waits or runs any more. */
  static void awaitFinished(JobQueue queue) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (queue.unfinished() > 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "%d jobs are unfinished after %s".formatted(queue.unfinished(), PATIENCE));
      }
      Thread.sleep(1);
    }
  }
}
