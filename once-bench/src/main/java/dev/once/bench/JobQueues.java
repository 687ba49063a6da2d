package dev.once.bench;

import java.util.List;

/**
 * All job queues on one database and one pool. The others are compared with the first.
 *
 * @param jobRunrMany JobRunr fetches jobs for all idle workers, so more workers mean larger batches
 */
record JobQueues(
    JobQueue onceTogether,
    JobQueue onceTransactional,
    JobQueue onceLeased,
    JobQueue dbScheduler,
    JobQueue jobRunr,
    JobQueue jobRunrMany)
    implements AutoCloseable {
  static void createTables(BenchDatabase database) {
    OnceJobQueue.createTables(database);
    DbSchedulerQueue.createTables(database);
    JobRunrQueue.createTables(database);
  }

  /** Creates queues on tables that exist. */
  static JobQueues over(BenchDatabase database, int threads) {
    return new JobQueues(
        new OnceJobQueue(database, threads, OnceJobQueue.Mode.TOGETHER),
        new OnceJobQueue(database, threads, OnceJobQueue.Mode.TRANSACTIONAL),
        new OnceJobQueue(database, threads, OnceJobQueue.Mode.LEASED),
        new DbSchedulerQueue(database, threads),
        new JobRunrQueue(database, threads),
        new JobRunrQueue(database, 4 * threads)); // It was slower with more or fewer.
  }

  List<JobQueue> all() {
    return List.of(onceTogether, onceTransactional, onceLeased, dbScheduler, jobRunr, jobRunrMany);
  }

  @Override
  public void close() {
    all().forEach(JobQueue::close);
  }
}
