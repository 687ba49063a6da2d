package dev.once.bench;

import java.sql.SQLException;
import java.time.Duration;

/**
 * Works off a backlog of enqueued jobs.
 *
 * @param jobs the size of the backlog
 */
record JobBacklog(BenchDatabase database, JobRows rows, int jobs) {
  private static final int ENQUEUED_AT_ONCE = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Empties the queue and enqueues new jobs. */
  JobLog fill(JobQueue queue) throws SQLException {
    queue.clear();
    rows.clear();
    JobLog log = enqueue(queue, jobs);
    database.settle();
    return log;
  }

  /** Enqueues the given number of new jobs; jobs that are in the queue already stay. */
  static JobLog enqueue(JobQueue queue, int jobs) {
    JobLog log = new JobLog(jobs);
    for (int from = 0; from < jobs; from += ENQUEUED_AT_ONCE) {
      queue.enqueue(log.jobs(from, Math.min(jobs, from + ENQUEUED_AT_ONCE)));
    }
    return log;
  }

  /** Works off the jobs of {@code log}, and returns jobs per second. */
  static double workOff(JobQueue queue, JobLog log, JobEffect effect)
      throws SQLException, InterruptedException {
    long end;
    JobWorkers workers = queue.start(log.around(effect));
    try (workers) {
      log.awaitAll(PATIENCE);
      awaitFinished(queue, PATIENCE);
      end = System.nanoTime();
    }
    return log.count() / ((end - log.firstStart()) / 1e9);
  }

  /**
   * Measures from the start of the first job until the queue has marked the last one as done, and
   * checks that each ran once.
   *
   * @return jobs per second
   */
  double workOff(JobQueue queue, JobEffect effect) throws SQLException, InterruptedException {
    JobLog log = fill(queue);
    double speed = workOff(queue, log, effect);
    log.requireOnce();
    requireRows(effect);
    return speed;
  }

  /** Returns when no job waits or runs any more. */
  static void awaitFinished(JobQueue queue, Duration patience)
      throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (queue.unfinished() > 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "%s has %d unfinished jobs after %s"
                .formatted(queue.name(), queue.unfinished(), patience));
      }
      Thread.sleep(1);
    }
  }

  private void requireRows(JobEffect effect) throws SQLException {
    long wanted = effect.equals(rows) ? jobs : 0;
    if (rows.jobs() != wanted || rows.repeated() != 0) {
      throw new IllegalStateException(
          "%d jobs must leave a row each, found %d, %d of them with more than one"
              .formatted(wanted, rows.jobs(), rows.repeated()));
    }
  }
}
