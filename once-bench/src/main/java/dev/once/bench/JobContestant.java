package dev.once.bench;

import java.util.EnumMap;
import java.util.Map;

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

  /** Creates all queues and their tables in one database. */
  static Map<JobContestant, JobQueue> allOver(BenchDatabase database, int threads) {
    OnceJobQueue.createTables(database);
    DbSchedulerQueue.createTables(database);
    JobRunrQueue.createTables(database);
    Map<JobContestant, JobQueue> queues = new EnumMap<>(JobContestant.class);
    for (JobContestant contestant : values()) {
      queues.put(contestant, contestant.over(database, threads));
    }
    return queues;
  }

  /** Creates a queue on tables that exist. */
  JobQueue over(BenchDatabase database, int threads) {
    return switch (this) {
      case ONCE_TOGETHER -> new OnceJobQueue(database, threads, OnceJobQueue.Mode.TOGETHER);
      case ONCE_TRANSACTIONAL ->
          new OnceJobQueue(database, threads, OnceJobQueue.Mode.TRANSACTIONAL);
      case ONCE_LEASED -> new OnceJobQueue(database, threads, OnceJobQueue.Mode.LEASED);
      case DB_SCHEDULER -> new DbSchedulerQueue(database, threads);
      case JOBRUNR -> new JobRunrQueue(database, threads);
      case JOBRUNR_MANY -> new JobRunrQueue(database, 4 * threads); // Slower with more or fewer.
    };
  }

  boolean isOnce() {
    return compareTo(ONCE_LEASED) <= 0;
  }
}
