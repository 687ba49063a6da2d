package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/** Keeps a batch open until the end of the transaction. Others may do the same meanwhile. */
final class LockBatchStatement {
  private static final String SQL =
      """
      SELECT (SELECT coalesce(sum(c.members), 0) FROM once_job_batch_count c
              WHERE c.batch = b.id) AS members
      FROM once_job_batch b
      WHERE b.id = ? AND b.tenant = ? AND b.closed_at IS NULL
      FOR SHARE OF b
      """;

  private LockBatchStatement() {}

  /** Returns how many members the batch has had; empty if it is not open. */
  static OptionalLong execute(Connection connection, long batch, String tenant)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).number(batch).text(tenant);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong("members")) : OptionalLong.empty();
      }
    }
  }
}
