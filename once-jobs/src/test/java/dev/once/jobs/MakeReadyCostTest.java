package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The cost of maintenance while no job is due. */
class MakeReadyCostTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("tend_cost");

  @Test
  void looksAtNoJobWhoseTimeHasNotCome() throws SQLException {
    DATABASE.execute(
        """
        INSERT INTO once_job (tenant, queue, type, key, fingerprint, state, priority, checked,
          run_at, enqueued_at, correlation, payload)
        SELECT 'acme', 'mail', 'send', 'send:' || n, 'none:', 'waiting', 0, true,
          clock_timestamp() + interval '1 day', clock_timestamp(), '', ''
        FROM generate_series(1, 20000) n
        """);
    DATABASE.execute("ANALYZE once_job");

    try (Connection connection = DATABASE.direct().getConnection()) {
      connection.setAutoCommit(false);
      MakeReadyStatement.execute(connection);

      assertThat(rowsReadIn(connection)).isLessThan(10);
    }
  }

  /** Returns how many rows the transaction has read, as counted by the server. */
  private static long rowsReadIn(Connection connection) throws SQLException {
    String sql =
        "SELECT coalesce(idx_tup_fetch, 0) + seq_tup_read FROM pg_stat_xact_user_tables"
            + " WHERE relname = 'once_job'";
    return Long.parseLong(Sql.query(connection, sql).get(0));
  }
}
