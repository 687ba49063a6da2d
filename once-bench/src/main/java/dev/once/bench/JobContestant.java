package dev.once.bench;

import java.util.Arrays;
import java.util.List;

/** The job queues that take part, by names that a worker in a separate process understands. */
enum JobContestant {
  /** The others are compared with this one. */
  ONCE_TOGETHER,
  ONCE_TRANSACTIONAL,
  ONCE_LEASED,
  DB_SCHEDULER,
  JOBRUNR,
  /** JobRunr fetches jobs for all idle workers, so more workers mean larger batches. */
  JOBRUNR_MANY;

  // Found by experiment: it was slower with more or fewer threads, or other limits.
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

  /** Creates the tables of all queues in one database. */
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
