package dev.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Offers jobs at a steady pace and measures how long each waits, from the commit of the transaction
 * that enqueued it to the start of its handler.
 *
 * @param time how long jobs are offered
 */
record JobPickUp(BenchDatabase database, Duration time) {
  private static final int CALLERS = 4;

  /** With a commit per job, enqueuing would be most of the load. */
  private static final int JOBS_PER_COMMIT = 10;

  /** The share of the time after which the planner gets statistics of the tables under load. */
  private static final double SETTLED = 0.2;

  /** The share of the jobs, the first ones, that is not measured. */
  private static final double WARM_UP = 0.3;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Returns the waits, and how many jobs per second were offered. */
  Round measure(JobQueue queue, double jobsPerSecond) throws Exception {
    queue.clear();
    int commits = (int) Math.ceil(jobsPerSecond * time.toNanos() / 1e9 / JOBS_PER_COMMIT);
    JobLog log = new JobLog(commits * JOBS_PER_COMMIT);
    long nanos;
    JobWorkers workers = queue.start(log.around(JobEffect.NOTHING));
    try (workers) {
      nanos = offer(queue, log, 1e9 / jobsPerSecond);
      log.awaitAll(PATIENCE);
    }
    log.requireOnce();
    int skipped = (int) (WARM_UP * log.count());
    return new Round(List.of(log.waits(skipped)), Math.round(nanos * (1 - WARM_UP)));
  }

  private long offer(JobQueue queue, JobLog log, double nanosPerJob) throws Exception {
    long begin = System.nanoTime();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int first = i * JOBS_PER_COMMIT;
        callers.add(threads.submit(() -> call(queue, log, first, begin, nanosPerJob)));
      }
      waitUntil(begin + Math.round(SETTLED * time.toNanos()));
      database.settle();
      for (Future<?> caller : callers) {
        caller.get();
      }
      return System.nanoTime() - begin;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Enqueues each group of jobs at its scheduled time, or immediately if the caller is late. */
  private static void call(JobQueue queue, JobLog log, int first, long begin, double nanosPerJob) {
    for (int from = first; from < log.count(); from += CALLERS * JOBS_PER_COMMIT) {
      waitUntil(begin + Math.round(from * nanosPerJob));
      List<Long> jobs = log.jobs(from, from + JOBS_PER_COMMIT);
      queue.enqueue(jobs);
      log.committed(jobs);
    }
  }

  private static void waitUntil(long time) {
    for (long now = System.nanoTime(); now - time < 0; now = System.nanoTime()) {
      LockSupport.parkNanos(time - now);
    }
  }
}
