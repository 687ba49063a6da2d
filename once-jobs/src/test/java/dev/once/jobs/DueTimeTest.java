package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Delays and retries do not wait for the next poll, which may be an hour away. */
@SuppressWarnings("try") // Workers work until they are closed.
@Execution(ExecutionMode.CONCURRENT) // It waits for due times.
@ResourceLock("DueTimeTest")
class DueTimeTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("due");

  /** How many milliseconds ago the oldest open transaction began. */
  private static final String SINCE_OLDEST =
      """
      SELECT (extract(epoch FROM max(clock_timestamp() - xact_start)) * 1000)::integer
      FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      """;

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
  private final Jobs elsewhere = Jobs.over(DATABASE.dataSource());

  @AfterEach
  void close() {
    jobs.close();
    elsewhere.close();
  }

  @Test
  void aRetryStartsWhenItIsDue() throws Exception {
    Handler failsTwice =
        Handler.transactional(
                (run, it) -> {
                  if (run.attempt() < 3) {
                    throw new IllegalStateException("no luck");
                  }
                })
            .withRetries(TestJobs.SOON.withDelays(Duration.ofMillis(100), Duration.ofSeconds(1)));
    try (Workers workers = workersOf(failsTwice)) {
      jobs.enqueue(TestJobs.job("1"));

      assertThat(events.await(JobEvent.Completed.class, 1)).hasSize(1);
    }
  }

  @Test
  void aDelayedJobStartsWhenItIsDue() throws Exception {
    try (Workers workers = workersOf(Handler.transactional((run, it) -> {}))) {
      jobs.enqueue(TestJobs.job("here").withDelay(Duration.ofMillis(300)));
      elsewhere.enqueue(TestJobs.job("there").withDelay(Duration.ofMillis(300)));

      assertThat(events.await(JobEvent.Completed.class, 2)).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDelayedJobOfACallersTransactionStartsWhenItIsDue(boolean isHere) throws Exception {
    Jobs of = isHere ? jobs : elsewhere;
    try (Workers workers = workersOf(Handler.transactional((run, it) -> {}))) {
      awaitMaintenance(of);
      try (Connection connection = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
        of.enqueue(connection, TestJobs.job("1").withDelay(Duration.ofMillis(500)));
        connection.commit();
      }

      assertThat(events.await(JobEvent.Completed.class, 2)).hasSize(2);
    }
  }

  @Test
  void aJobOfACallersTransactionStartsWhenItIsDueIfWorkersAreWoken() throws Exception {
    List<Job> later = List.of(TestJobs.job("1").withDelay(Duration.ofMillis(300)));
    try (Workers workers = workersOf(Handler.transactional((run, it) -> {}))) {
      awaitMaintenance(jobs);
      try (Connection connection = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
        jobs.enqueueAll(connection, later);
        // The transaction is open when the job is due.
        Polling.until(() -> DATABASE.query(SINCE_OLDEST), it -> Integer.parseInt(it.get(0)) > 600);
        connection.commit();
      }
      assertThat(events.all(JobEvent.Completed.class)).hasSize(1);

      jobs.wake(later);

      assertThat(events.await(JobEvent.Completed.class, 2)).hasSize(2);
    }
  }

  /** Waits until workers have found a first job: then they look again in an hour. */
  private void awaitMaintenance(Jobs of) {
    of.enqueue(TestJobs.job("first").withDelay(Duration.ofMillis(100)));
    events.await(JobEvent.Completed.class, 1);
  }

  private Workers workersOf(Handler handler) {
    return Workers.over(jobs)
        .handle("mail", "welcome", handler)
        .pollInterval(Workers.Builder.MAX_POLL_INTERVAL)
        .start();
  }
}
