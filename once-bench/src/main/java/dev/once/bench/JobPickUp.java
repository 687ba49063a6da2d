package dev.once.bench;

import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Offers jobs at a steady pace to workers that are half busy, and measures how long each waits,
 * from the commit of the transaction that enqueued it to the start of its handler.
 */
record JobPickUp(Session session, BenchDatabase database, QueueContestants queues) {
  /** JobRunr polls every five seconds: a measurement has to be longer than that. */
  private static final int LENGTH_IN_ROUNDS = 10;

  private static final int CALLERS = 4;

  /** With a commit per job, enqueuing would be most of the load. */
  private static final int JOBS_PER_COMMIT = 10;

  /** The share of the time after which the planner gets statistics of the tables under load. */
  private static final double SETTLED = 0.2;

  /** The share of the jobs, the first ones, that is not measured. */
  private static final double WARM_UP = 0.3;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Compares the fastest setting of each product, and Once with a transaction per job.
   *
   * @param idle the backlogs of jobs that do nothing, queue by queue
   */
  Table run(List<Series> idle) throws Exception {
    SpeedTable table =
        SpeedTable.of(session, "jobs", "From commit to start, workers half busy", "jobs", 1);
    double best =
        idle.stream()
            .filter(it -> !it.isOnce())
            .mapToDouble(Series::callsPerSecond)
            .max()
            .orElseThrow();
    compare(
        table,
        "half of its own speed",
        it -> idle.get(queues.all().indexOf(it)).callsPerSecond() / 2);
    compare(table, "half of the better rival's", it -> best / 2);
    return table.table();
  }

  private void compare(
      SpeedTable table, String load, ToDoubleFunction<Contestant<JobQueue>> jobsPerSecond)
      throws Exception {
    List<Series> all =
        Stream.of(
                queues.onceTogether(),
                queues.onceTransactional(),
                queues.dbScheduler(),
                queues.jobRunrMany())
            .map(
                it ->
                    new Series(it.name(), () -> offer(it.work(), jobsPerSecond.applyAsDouble(it))))
            .toList();
    table.compare(
        SpeedTable.Rounds.LONG,
        load,
        Integer.toString(CALLERS),
        () -> {},
        List.of(new SpeedTable.Contest("offered " + load, SpeedTable.NO_AIM, all)));
    String work = "jobs: p99 from commit to start, offered " + load;
    all.stream()
        .filter(it -> !it.isOnce())
        .map(it -> Finding.atMost(1, work, it.name(), all.get(0).p99Over(it)))
        .forEach(table::add);
  }

  /** Returns the waits, and how many jobs per second were offered. */
  private Round offer(JobQueue queue, double jobsPerSecond) throws Exception {
    queue.clear();
    double seconds = LENGTH_IN_ROUNDS * session.round().toNanos() / 1e9;
    int commits = (int) Math.ceil(jobsPerSecond * seconds / JOBS_PER_COMMIT);
    JobTimeline log = new JobTimeline(commits * JOBS_PER_COMMIT);
    long begin = System.nanoTime();
    long nanos;
    Closeable workers = queue.start(log.around((job, lender) -> {}));
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try (workers) {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int first = i * JOBS_PER_COMMIT;
        calls.add(callers.submit(() -> call(queue, log, first, begin, 1e9 / jobsPerSecond)));
      }
      waitUntil(begin + Math.round(SETTLED * seconds * 1e9));
      database.settle();
      for (Future<?> call : calls) {
        call.get();
      }
      nanos = System.nanoTime() - begin;
      log.awaitAll(PATIENCE);
    } finally {
      callers.shutdownNow();
    }
    log.requireOnce();
    int skipped = (int) (WARM_UP * log.count());
    return Round.timed(List.of(log.waits(skipped)), Math.round(nanos * (1 - WARM_UP)));
  }

  /** Enqueues each group of jobs at its scheduled time, or immediately if the caller is late. */
  private static void call(
      JobQueue queue, JobTimeline log, int first, long begin, double nanosPerJob) {
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
