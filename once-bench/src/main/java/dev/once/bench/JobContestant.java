package dev.once.bench;

import java.util.Arrays;
import java.util.List;

/** The job queues that take part, by names that a worker in a process of its own understands. */
enum JobContestant {
  /** What the others are held against. */
  ONCE_TOGETHER,
  ONCE_TRANSACTIONAL,
  ONCE_LEASED,
  DB_SCHEDULER,
  JOBRUNR,
  /** JobRunr fetches for workers that are free, so that more of them mean larger batches. */
  JOBRUNR_MANY;

  // Found by trying: with more or fewer threads, or other limits, it was slower.
  private static final double DB_SCHEDULER_LOWER = 8;
  private static final double DB_SCHEDULER_UPPER = 60;

  /** Found in the same way. */
  private static final int JOBRUNR_TIMES = 4;

  static List<JobContestant> rivals() {
    return Arrays.stream(values()).filter(JobContestant::isRival).toList();
  }

  boolean isRival() {
    return compareTo(DB_SCHEDULER) >= 0;
  }

  /** The tables of all, in one database. */
  static void createTables(BenchDatabase database) {
    OnceJobQueue.createTables(database);
    DbSchedulerQueue.createTables(database);
    JobRunrQueue.createTables(database);
  }

  JobQueue over(BenchDatabase database, int threads) {
    return switch (this) {
      case ONCE_TOGETHER -> new OnceJobQueue(database, threads, OnceJobQueue.Mode.TOGETHER);
      case ONCE_TRANSACTIONAL ->
          new OnceJobQueue(database, threads, OnceJobQueue.Mode.TRANSACTIONAL);
      case ONCE_LEASED -> new OnceJobQueue(database, threads, OnceJobQueue.Mode.LEASED);
      case DB_SCHEDULER ->
          new DbSchedulerQueue(database, threads, DB_SCHEDULER_LOWER, DB_SCHEDULER_UPPER);
      case JOBRUNR -> new JobRunrQueue(database, threads);
      case JOBRUNR_MANY -> new JobRunrQueue(database, JOBRUNR_TIMES * threads);
    };
  }
}
