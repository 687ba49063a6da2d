package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Opens the batch of a join that the same transaction has enqueued, and blocks the join. */
final class OpenBatchStatement {
  private static final String SQL =
      """
      WITH opened AS (
        INSERT INTO once_job_batch (id, tenant, after_deaths) VALUES (?, ?, ?) RETURNING id)
      UPDATE once_job j SET state = 'blocked' FROM opened o WHERE j.id = o.id
      """;

  private OpenBatchStatement() {}

  static void execute(Connection connection, long id, JobBatch batch) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .number(id)
          .text(batch.join().key().tenant())
          .flag(batch.isClosedAfterDeaths());
      if (statement.executeUpdate() != 1) {
        throw new AssertionError("the join " + id + " of a new batch is gone");
      }
    }
  }
}
