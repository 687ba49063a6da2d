package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the batches of large tables cost, by plans that were made for empty ones. */
@Tag("any-jdk")
class BatchPlanTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("batchplan");
  private static final int MEMBERS = 30_000;

  /** After so many executions, the driver and the server keep the plan of a statement. */
  private static final int LOOKS = 6;

  private final JobBatches batches = DATABASE.jobs().batches();
  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void aLookAtABatchReadsOneMemberOfMany() throws SQLException {
    DATABASE.execute("ALTER TABLE once_job SET (autovacuum_enabled = off)");
    try (Connection connection = DATABASE.direct().getConnection()) {
      connection.setAutoCommit(false);
      DATABASE.execute("ANALYZE once_job");
      look(connection, 1);
      long batch =
          batches.enqueue(JobBatch.of(TestJobs.job("join")).withJobs(TestJobs.jobs(2))).batch();
      DATABASE.execute(
          """
          INSERT INTO once_job (tenant, queue, type, key, state, batch, fingerprint, priority,
            checked, run_at, enqueued_at, correlation, payload)
          SELECT 'acme', 'mail', 'welcome', 'welcome:x' || n, 'ready', %d, 'none:', 0, true,
            clock_timestamp(), clock_timestamp(), '', ''
          FROM generate_series(1, %d) n
          """
              .formatted(batch, MEMBERS));

      look(connection, batch);

      assertThat(rowsReadIn(connection)).isEqualTo(LOOKS);
    }
  }

  @Test
  void theCompletionOfAMemberReadsNoMoreThanThatOfAnotherJob() throws SQLException {
    DATABASE.jobs().enqueue(TestJobs.job("alone"));
    ClaimedJob alone = statements.claimOne("mail");
    batches.enqueue(JobBatch.of(TestJobs.job("join")).withJobs(TestJobs.jobs(10)));
    ClaimedJob member = statements.claimOne("mail");

    assertThat(rowsReadByCompletionOf(member)).isEqualTo(rowsReadByCompletionOf(alone));
  }

  private static long rowsReadByCompletionOf(ClaimedJob job) throws SQLException {
    try (Connection connection = DATABASE.direct().getConnection()) {
      connection.setAutoCommit(false);
      CompleteStatement.execute(connection, List.of(job), JobStatements.RETENTION);
      return rowsReadIn(connection);
    }
  }

  private static void look(Connection connection, long batch) throws SQLException {
    for (int i = 0; i < LOOKS; i++) {
      connection.rollback();
      CloseBatchesStatement.execute(connection, List.of(batch));
    }
  }

  /** Returns how many rows the session has read of late, as counted by the server. */
  private static long rowsReadIn(Connection connection) throws SQLException {
    String sql =
        "SELECT coalesce(idx_tup_fetch, 0) + seq_tup_read FROM pg_stat_xact_user_tables"
            + " WHERE relname = 'once_job'";
    return Long.parseLong(Sql.query(connection, sql).get(0));
  }
}
