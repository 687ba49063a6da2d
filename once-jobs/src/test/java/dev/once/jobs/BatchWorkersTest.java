package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches whose jobs are run by workers. */
@SuppressWarnings("try") // Workers work until they are closed.
class BatchWorkersTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("batchworkers");
  private static final Job JOIN = Job.of(new JobKey("acme", "mail", "join", "report"));
  private static final JobBatch BATCH = JobBatch.of(JOIN);

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);
  private final Once once = Once.over(JdbcRecordStore.over(DATABASE.dataSource()));

  @AfterEach
  void close() {
    once.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50})
  void theJoinOfTransactionalJobsRunsOnceAfterAllOfThem(int batchSize) {
    Handler handler = Handler.transactional(JobDatabase::handle).withBatchSize(batchSize);
    try (Workers workers = start(handler);
        Workers others = start(handler)) {
      jobs.batches().enqueue(BATCH.withJobs(TestJobs.jobs(500)));
      statements.awaitAllDone();
    }

    assertThat(DATABASE.handled()).hasSize(501).endsWith("report").containsOnlyOnce("report");
  }

  @Test
  void theJoinOfLeasedJobsRunsOnceAfterAllOfThem() {
    try (Workers workers = start(Handler.leased(once, this::handle))) {
      jobs.batches().enqueue(BATCH.withJobs(TestJobs.jobs(50)));
      statements.awaitAllDone();
    }

    assertThat(DATABASE.handled()).hasSize(51).endsWith("report").containsOnlyOnce("report");
  }

  @Test
  void aMemberAddsMembersToItsOwnBatch() {
    Handler handler =
        Handler.transactional(
            (run, connection) -> {
              JobDatabase.handle(run, connection);
              if (run.key().resource().length() < 3) {
                jobs.batches().add(connection, run.batch().orElseThrow(), children(run));
              }
            });
    try (Workers workers = start(handler)) {
      jobs.batches().enqueue(BATCH.withJobs(TestJobs.jobs(3)));
      statements.awaitAllDone();
    }

    assertThat(DATABASE.handled()).hasSize(3 + 9 + 27 + 1).endsWith("report");
  }

  @Test
  void aBatchThatIsClosedAfterDeathsIsClosedByItsLastDeath() {
    Handler handler =
        Handler.transactional(
            (run, connection) -> {
              throw new JobException.GiveUp("no such customer");
            });
    try (Workers workers = start(handler)) {
      jobs.batches().enqueue(BATCH.withJobs(TestJobs.jobs(3)).closedAfterDeaths());
      Polling.until(DATABASE::handled, List.of("report")::equals);
    }
  }

  @Test
  void aBatchWhoseLastMemberEndedInAProcessThatStoppedIsClosedByAnother() {
    jobs.batches().enqueue(BATCH.withJobs(TestJobs.jobs(1)));
    statements.finish(statements.claimOne("mail"));

    try (Workers workers = start(Handler.transactional(JobDatabase::handle))) {
      statements.awaitAllDone();
    }

    assertThat(DATABASE.handled()).containsExactly("report");
  }

  private static List<Job> children(JobRun run) {
    return IntStream.range(0, 3).mapToObj(i -> TestJobs.job(run.key().resource() + i)).toList();
  }

  private void handle(JobRun run) throws SQLException {
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      JobDatabase.handle(run, connection);
    }
  }

  private Workers start(Handler handler) {
    return Workers.over(jobs)
        .pollInterval(Duration.ofSeconds(1))
        .handle("mail", "welcome", handler)
        .handle("mail", "join", Handler.transactional(JobDatabase::handle))
        .start();
  }
}
