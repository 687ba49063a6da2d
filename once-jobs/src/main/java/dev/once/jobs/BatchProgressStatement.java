package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Counts the members of a batch. Their number is limited, and so is the cost. */
final class BatchProgressStatement {
  private static final String SQL =
      """
      SELECT b.closed_at IS NOT NULL AS is_closed,
             coalesce(b.members, (SELECT sum(c.members) FROM once_job_batch_count c
                                  WHERE c.batch = b.id), 0) AS members,
             u.unfinished, u.dead
      FROM once_job_batch b CROSS JOIN LATERAL (
        SELECT count(*) AS unfinished, count(*) FILTER (WHERE m.state || '' = 'dead') AS dead
        FROM once_job m WHERE m.batch = b.id) u
      WHERE b.id = ? AND b.tenant = ?
      """;

  private BatchProgressStatement() {}

  static Optional<BatchProgress> execute(Connection connection, String tenant, long batch)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).number(batch).text(tenant);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        long members = row.getLong("members");
        return Optional.of(
            new BatchProgress(
                batch,
                members,
                members - row.getLong("unfinished"),
                row.getLong("dead"),
                row.getBoolean("is_closed")));
      }
    }
  }
}
