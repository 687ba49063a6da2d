package dev.once.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.io.Closeable;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * db-scheduler with lock-and-fetch: one statement claims a batch of jobs, and one statement per job
 * deletes it when it is done. An enqueue triggers the scheduler of the same process to poll
 * immediately.
 */
final class DbSchedulerQueue extends JobQueue {
  private static final String TASK = "bench";
  private static final Duration POLLING = Duration.ofMillis(10);
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);
  private static final int MISSED_HEARTBEATS = 4; // The least that it allows.

  // Fetches until UPPER jobs per thread are buffered when there are fewer than LOWER. Found by
  // experiment: it was slower with more or fewer threads, or other limits.
  private static final double LOWER = 8;
  private static final double UPPER = 60;

  private final CallerTransactions transactions;
  private final SchedulerClient client;
  private volatile @Nullable Scheduler running;

  private DbSchedulerQueue(BenchDatabase database, int threads) {
    super(database, threads, "scheduled_tasks", "scheduled_tasks");
    this.transactions = new CallerTransactions(database);
    this.client = SchedulerClient.Builder.create(transactions.source()).build();
  }

  static Contestant<JobQueue> contestant(BenchDatabase database, int threads) {
    return new Contestant<>(
        "db-scheduler",
        "after %d missed heartbeats (the least it allows) of %d s, looked for every 2 s"
            .formatted(MISSED_HEARTBEATS, HEARTBEAT.toSeconds()),
        new DbSchedulerQueue(database, threads));
  }

  /** Creates the table of its documentation, without the index for priorities, which are off. */
  static void createTables(BenchDatabase database) {
    database.execute(
        """
        CREATE TABLE scheduled_tasks (
          task_name text NOT NULL, task_instance text NOT NULL, task_data bytea,
          execution_time timestamptz, picked boolean NOT NULL, picked_by text,
          last_success timestamptz, last_failure timestamptz, consecutive_failures int,
          last_heartbeat timestamptz, version bigint NOT NULL, priority smallint, state text,
          PRIMARY KEY (task_name, task_instance))
        """);
    database.execute("CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)");
    database.execute("CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
  }

  @Override
  void enqueue(List<Long> jobs) {
    insert(jobs);
    trigger();
  }

  @Override
  void enqueueWith(BenchDatabase.Writing write, List<Long> jobs) throws SQLException {
    transactions.run(
        connection -> {
          write.on(connection);
          insert(jobs);
        });
    trigger();
  }

  private void insert(List<Long> jobs) {
    List<TaskInstance<?>> instances = new ArrayList<>();
    for (Long job : jobs) {
      instances.add(new TaskInstance<Void>(TASK, job.toString()));
    }
    client.scheduleBatch(instances, Instant.now());
  }

  private void trigger() {
    Scheduler scheduler = running;
    if (scheduler != null) {
      scheduler.triggerCheckForDueExecutions();
    }
  }

  @Override
  Closeable start(Effect effect) {
    OneTimeTask<Void> task =
        Tasks.oneTime(TASK)
            .execute((instance, context) -> perform(effect, Long.parseLong(instance.getId())));
    Scheduler scheduler =
        Scheduler.create(database.pool(), task)
            .threads(threads)
            .pollUsingLockAndFetch(LOWER, UPPER)
            .pollingInterval(POLLING)
            .heartbeatInterval(HEARTBEAT)
            .missedHeartbeatsLimit(MISSED_HEARTBEATS)
            .build();
    scheduler.start();
    running = scheduler;
    return () -> {
      running = null;
      scheduler.stop();
    };
  }

  private void perform(Effect effect, long job) {
    try {
      effect.perform(job, database::lend);
    } catch (SQLException e) {
      throw new IllegalStateException("a job failed", e);
    }
  }
}
