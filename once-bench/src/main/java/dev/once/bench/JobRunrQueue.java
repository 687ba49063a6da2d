package dev.once.bench;

import java.io.Closeable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProviderUtils.DatabaseOptions;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/**
 * JobRunr: a worker that becomes idle fetches for all idle workers, and a poll does so every five
 * seconds, the least it allows. Completed jobs are kept, which is its default and the fastest.
 */
final class JobRunrQueue extends JobQueue {
  private static final Duration POLLING = Duration.ofSeconds(5);
  private static final int MISSED_POLLS = 4; // The least that it allows.

  private final JsonMapper json = new JacksonJsonMapper();
  private final PostgresStorageProvider storage;
  private final JobRequestScheduler scheduler;

  private JobRunrQueue(BenchDatabase database, int threads) {
    super(
        database,
        threads,
        "jobrunr_jobs WHERE state IN ('ENQUEUED', 'PROCESSING', 'SCHEDULED', 'FAILED')",
        "jobrunr_jobs");
    this.storage = new PostgresStorageProvider(database.pool(), DatabaseOptions.NO_VALIDATE);
    storage.setJobMapper(new JobMapper(json));
    this.scheduler = new JobRequestScheduler(storage);
  }

  static Contestant<JobQueue> contestant(BenchDatabase database, int threads) {
    return new Contestant<>(
        "JobRunr, %d workers".formatted(threads),
        "after %d missed polls of %d s (both the least it allows), then as a retry"
            .formatted(MISSED_POLLS, POLLING.toSeconds()),
        new JobRunrQueue(database, threads));
  }

  static void createTables(BenchDatabase database) {
    new PostgresStorageProvider(database.pool(), DatabaseOptions.CREATE).close();
  }

  @Override
  void enqueue(List<Long> jobs) {
    scheduler.enqueue(jobs.stream().map(Request::new));
  }

  @Override
  Closeable start(Effect effect) {
    Handler handler = new Handler(effect, database::lend);
    BackgroundJobServer server =
        new BackgroundJobServer(
            storage,
            json,
            new JobActivator() {
              @Override
              public <T> T activateJob(Class<T> type) {
                return type.cast(handler);
              }
            },
            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                .andPollInterval(POLLING)
                .andServerTimeoutPollIntervalMultiplicand(MISSED_POLLS)
                .andWorkerCount(threads));
    server.start();
    return server::stop;
  }

  @Override
  public void close() {
    storage.close();
  }

  /** A job as JobRunr stores it. Public like the handler, because JobRunr requires that. */
  public static final class Request implements JobRequest {
    private static final long serialVersionUID = 1;

    private long job;

    Request() {} // For the JSON deserializer, which then sets the field.

    Request(long job) {
      this.job = job;
    }

    @Override
    public Class<Handler> getJobRequestHandler() {
      return Handler.class;
    }
  }

  public static final class Handler implements JobRequestHandler<Request> {
    private final JobQueue.Effect effect;
    private final JobQueue.Lender lender;

    Handler(JobQueue.Effect effect, JobQueue.Lender lender) {
      this.effect = effect;
      this.lender = lender;
    }

    @Override
    public void run(Request request) throws SQLException {
      effect.perform(request.job, lender);
    }
  }
}
