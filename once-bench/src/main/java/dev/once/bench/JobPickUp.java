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
record JobPickUp(Duration time) {
  private static final int CALLERS = 4;

  /** With a commit per job, enqueuing would be most of what the machine has to do. */
  private static final int JOBS_PER_COMMIT = 10;

  /** The first ones, which find workers that have just started, do not count. */
  private static final double WARM_UP = 0.25;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The waits, and how many jobs per second were offered. */
  Round measure(JobQueue queue, double jobsPerSecond) throws Exception {
    int commits = (int) Math.ceil(jobsPerSecond * time.toNanos() / 1e9 / JOBS_PER_COMMIT);
    JobLog log = new JobLog(commits * JOBS_PER_COMMIT);
    long nanos;
    JobWorkers workers = queue.start(log.around(JobEffect.NOTHING));
    try (workers) {
      nanos = offer(queue, log, jobsPerSecond);
      log.awaitAll(PATIENCE);
    }
    log.requireOnce();
    int skipped = (int) (WARM_UP * log.count());
    return new Round(List.of(log.waits(skipped)), Math.round(nanos * (1 - WARM_UP)));
  }

  private static long offer(JobQueue queue, JobLog log, double jobsPerSecond) throws Exception {
    long begin = System.nanoTime();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int first = i * JOBS_PER_COMMIT;
        callers.add(
            threads.submit(
                () -> {
                  call(queue, log, first, begin, 1e9 / jobsPerSecond);
                  return log;
                }));
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
      return System.nanoTime() - begin;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Enqueues every so many jobs what is due by then; who is late does not wait. */
  private static void call(JobQueue queue, JobLog log, int first, long begin, double nanosPerJob)
      throws Exception {
    for (int from = first; from < log.count(); from += CALLERS * JOBS_PER_COMMIT) {
      long due = begin + Math.round(from * nanosPerJob);
      for (long now = System.nanoTime(); now - due < 0; now = System.nanoTime()) {
        LockSupport.parkNanos(due - now);
      }
      List<Long> jobs = log.jobs(from, from + JOBS_PER_COMMIT);
      queue.enqueue(jobs);
      log.committed(jobs);
    }
  }
}
