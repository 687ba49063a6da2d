package dev.once.bench;

import dev.once.Once;
import dev.once.Terms;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobRun;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.Queue;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import java.io.Closeable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Once's jobs, with one of its kinds of handlers. The keys of completed jobs are kept. */
final class OnceJobQueue extends JobQueue {
  /** How a job runs, and what guarantees that it is done once. */
  enum Mode {
    /** The job's writes and its completion are one transaction. */
    TRANSACTIONAL("Once, transactional"),
    /** The same, and jobs that are ready at the same time share a transaction. */
    TOGETHER("Once, transactional, up to 100 together"),
    /** Effects outside the database; the engine records that they happened. */
    LEASED("Once, leased");

    private final String title;

    Mode(String title) {
      this.title = title;
    }
  }

  private static final String QUEUE = "bench";
  private static final String TYPE = "count";
  private static final int MAX_BATCH_SIZE = 100;

  /** The time that db-scheduler needs to detect a dead worker. */
  private static final Duration LEASE = Duration.ofSeconds(4);

  /** High, so that a job does not become a dead letter when its worker is killed several times. */
  private static final int TRIES = 100;

  private final Mode mode;
  private final Once once;
  private final CallerTransactions transactions;
  private final Jobs jobs;

  private OnceJobQueue(BenchDatabase database, int threads, Mode mode) {
    super(
        database,
        threads,
        "once_job WHERE state <> 'dead'", // Dead letters will not run.
        "once_job, once_job_done, once_record");
    this.mode = mode;
    this.once = Once.over(JdbcRecordStore.over(database.pool()));
    this.transactions = new CallerTransactions(database);
    this.jobs = Jobs.builder(database.pool()).transactions(transactions).build();
  }

  static Contestant<JobQueue> contestant(BenchDatabase database, int threads, Mode mode) {
    return new Contestant<>(
        mode.title,
        "after a lease of %d s".formatted(LEASE.toSeconds()),
        new OnceJobQueue(database, threads, mode));
  }

  static void createTables(BenchDatabase database) {
    JdbcSchema.apply(database.pool());
    JobsSchema.apply(database.pool());
  }

  @Override
  void enqueue(List<Long> ids) {
    jobs.enqueueAll(ids.stream().map(OnceJobQueue::job).toList());
  }

  @Override
  void enqueueWith(BenchDatabase.Writing write, List<Long> ids) throws SQLException {
    transactions.run(
        connection -> {
          write.on(connection);
          enqueue(ids);
        });
  }

  private static Job job(long id) {
    return Job.of(new JobKey(Sample.TENANT, QUEUE, TYPE, Long.toString(id)));
  }

  @Override
  Closeable start(Effect effect) {
    Workers workers =
        Workers.over(jobs)
            .queue(Queue.named(QUEUE).withSlots(threads).withLease(LEASE))
            .handle(QUEUE, TYPE, handler(effect))
            .start();
    return workers::close;
  }

  private Handler handler(Effect effect) {
    RetryPolicy retries = RetryPolicy.DEFAULT.withAttempts(TRIES);
    Handler.Transactional transactional =
        Handler.transactional(
            (run, connection) -> effect.perform(id(run), writing -> writing.on(connection)));
    return switch (mode) {
      case TRANSACTIONAL -> transactional.withRetries(retries);
      case TOGETHER -> transactional.withBatchSize(MAX_BATCH_SIZE).withRetries(retries);
      case LEASED ->
          Handler.leased(once, run -> effect.perform(id(run), database::lend))
              .withTerms(Terms.DEFAULT.withLease(LEASE))
              .withRetries(retries);
    };
  }

  private static long id(JobRun run) {
    return Long.parseLong(run.key().resource());
  }

  @Override
  public void close() {
    jobs.close();
    once.close();
  }
}
