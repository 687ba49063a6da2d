package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What statements cost when the table has many other jobs, with and without statistics. */
@Tag("any-jdk")
class JobPlanTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("plan");
  private static final int OTHERS = 30_000;
  private static final Queue MAIL = Queue.named("mail");

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @BeforeEach
  void noStatistics() {
    DATABASE.execute("ALTER TABLE once_job SET (autovacuum_enabled = off)");
    DATABASE.execute("DELETE FROM pg_statistic WHERE starelid = 'once_job'::regclass");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClaimDoesNotReadJobsOfTypesWithoutAHandler(boolean hasStatistics) throws SQLException {
    addOthers("'acme', 'mail', 'unknown', 'unknown:' || n, 'ready', NULL");
    jobs.enqueueAll(TestJobs.jobs(10));
    analyze(hasStatistics);

    try (Connection connection = transaction()) {
      ClaimStatement claim = new ClaimStatement(MAIL, Set.of("welcome", "goodbye"));
      assertThat(claim.execute(connection, "", 0, 100, Long.MAX_VALUE).jobs()).hasSize(10);

      assertThat(rowsReadIn(connection)).isLessThan(100);
    }
  }

  @Test
  void aPlanThatWasMadeForAnEmptyTableReadsTheSameIndexes() throws SQLException {
    ClaimStatement claim = new ClaimStatement(MAIL, Set.of("welcome", "goodbye"));
    try (Connection connection = DATABASE.direct().getConnection()) {
      DATABASE.execute("ANALYZE once_job");
      claim.execute(connection, "", 0, 100, Long.MAX_VALUE);
      MakeReadyStatement.execute(connection);
      addOthers("'acme', 'mail', 'unknown', 'unknown:' || n, 'ready', NULL");
      addOthers("'acme', 'mail', 'welcome', 'welcome:x' || n, 'blocked', 'other-' || n % 100");
      jobs.enqueueAll(TestJobs.jobs(10));

      connection.setAutoCommit(false);
      assertThat(claim.execute(connection, "", 0, 100, Long.MAX_VALUE).jobs()).hasSize(10);
      assertThat(rowsReadIn(connection)).as("rows read by a claim").isLessThan(100);
      MakeReadyStatement.execute(connection);
      assertThat(rowsReadIn(connection)).as("and by maintenance").isLessThan(150);
      jobs.enqueue(connection, TestJobs.job("more").withAggregate("other-1"));

      assertThat(rowsReadIn(connection)).isLessThan(200);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCompletionDoesNotReadJobsThatAreBlockedElsewhere(boolean hasStatistics)
      throws SQLException {
    addOthers("'acme', 'mail', 'welcome', 'welcome:x' || n, 'blocked', 'other-' || n % 100");
    jobs.enqueue(TestJobs.job("1").withAggregate("mine"));
    jobs.enqueue(TestJobs.job("2").withAggregate("mine"));
    List<ClaimedJob> claimed = statements.claim(MAIL, 1);
    analyze(hasStatistics);

    try (Connection connection = transaction()) {
      CompleteStatement.CompleteResult result =
          CompleteStatement.execute(connection, claimed, JobStatements.RETENTION);

      assertThat(result.hasUnblocked()).isTrue();
      assertThat(rowsReadIn(connection)).isLessThan(100);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void unblockingReadsAFewJobsOfEachAggregate(boolean hasStatistics) throws SQLException {
    addOthers("'acme', 'mail', 'welcome', 'welcome:x' || n, 'blocked', 'other-' || n % 100");
    analyze(hasStatistics);

    try (Connection connection = transaction()) {
      UnblockStatement.execute(connection, UnblockStatement.Position.FIRST);

      assertThat(rowsReadIn(connection)).isLessThan(100 * 12);
    }
  }

  private static void addOthers(String values) {
    DATABASE.execute(
        """
        INSERT INTO once_job (tenant, queue, type, key, state, aggregate, fingerprint, priority,
          checked, run_at, enqueued_at, correlation, payload)
        SELECT %s, 'none:', 0, true, clock_timestamp(), clock_timestamp(), '', ''
        FROM generate_series(1, %d) n
        """
            .formatted(values, OTHERS));
  }

  private static void analyze(boolean hasStatistics) {
    if (hasStatistics) {
      DATABASE.execute("ANALYZE once_job");
    }
  }

  private static Connection transaction() throws SQLException {
    Connection connection = DATABASE.direct().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  /** Returns how many rows the transaction has read, as counted by the server. */
  private static long rowsReadIn(Connection connection) throws SQLException {
    String sql =
        "SELECT coalesce(idx_tup_fetch, 0) + seq_tup_read FROM pg_stat_xact_user_tables"
            + " WHERE relname = 'once_job'";
    return Long.parseLong(Sql.query(connection, sql).get(0));
  }
}
