package dev.once.bench;

import java.util.List;

/**
 * All job queues on one database and one pool; the others are compared with the first. Their notes
 * say when the jobs of a dead worker run again, and the settings for that.
 *
 * @param jobRunrMany JobRunr fetches jobs for all idle workers, so more workers mean larger batches
 */
record QueueContestants(
    Contestant<JobQueue> onceTogether,
    Contestant<JobQueue> onceTransactional,
    Contestant<JobQueue> onceLeased,
    Contestant<JobQueue> dbScheduler,
    Contestant<JobQueue> jobRunr,
    Contestant<JobQueue> jobRunrMany)
    implements AutoCloseable {
  static void createTables(BenchDatabase database) {
    OnceJobQueue.createTables(database);
    DbSchedulerQueue.createTables(database);
    JobRunrQueue.createTables(database);
  }

  static QueueContestants over(BenchDatabase database, int threads) {
    return new QueueContestants(
        OnceJobQueue.contestant(database, threads, OnceJobQueue.Mode.TOGETHER),
        OnceJobQueue.contestant(database, threads, OnceJobQueue.Mode.TRANSACTIONAL),
        OnceJobQueue.contestant(database, threads, OnceJobQueue.Mode.LEASED),
        DbSchedulerQueue.contestant(database, threads),
        JobRunrQueue.contestant(database, threads),
        JobRunrQueue.contestant(database, 4 * threads)); // It was slower with more or fewer.
  }

  List<Contestant<JobQueue>> all() {
    return List.of(onceTogether, onceTransactional, onceLeased, dbScheduler, jobRunr, jobRunrMany);
  }

  @Override
  public void close() {
    all().forEach(it -> it.work().close());
  }
}
