package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;

/** Finds batches that are open, a limited number a call, in the order of their ids. */
final class OpenBatchesStatement {
  static final int LIMIT = 1000;

  private static final String SQL =
      """
      SELECT b.id FROM once_job_batch b
      WHERE b.closed_at IS NULL AND b.id > ?
      ORDER BY b.id LIMIT %d
      """
          .formatted(LIMIT);

  private OpenBatchesStatement() {}

  static Set<Long> execute(Connection connection, long after) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).number(after);
      return Ids.read(statement);
    }
  }
}
