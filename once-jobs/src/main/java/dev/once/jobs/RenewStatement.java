package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Renews the leases of claimed jobs. Does not wait for a row that another transaction has locked,
 * such as a handler's own transaction that is about to commit: its lease is neither renewed nor
 * lost.
 */
final class RenewStatement {
  private static final String SQL =
      """
      WITH mine AS MATERIALIZED (
        SELECT j.id, j.fence FROM once_job j JOIN unnest(?, ?) AS c (id, fence) ON %1$s),
      free AS MATERIALIZED (
        SELECT j.id, j.fence FROM once_job j JOIN mine c ON %1$s
        FOR UPDATE OF j SKIP LOCKED),
      renewed AS (
        UPDATE once_job j SET lease_until = clock_timestamp() + ? * interval '1 microsecond'
        FROM free c
        WHERE %1$s
        RETURNING j.id)
      SELECT m.id, r.id IS NOT NULL AS is_renewed FROM mine m LEFT JOIN renewed r USING (id)
      """
          .formatted(GrantCondition.SQL);

  private RenewStatement() {}

  /**
   * The result of a renewal.
   *
   * @param renewed the jobs whose lease was renewed
   * @param held those, and the locked ones: the leases of all other jobs are lost
   */
  record RenewResult(Set<Long> renewed, Set<Long> held) {}

  static RenewResult execute(Connection connection, List<ClaimedJob> jobs, Duration lease)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("int8", jobs, ClaimedJob::id)
          .array("int8", jobs, ClaimedJob::fence)
          .duration(lease);
      Set<Long> renewed = new HashSet<>();
      Set<Long> held = new HashSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          held.add(rows.getLong("id"));
          if (rows.getBoolean("is_renewed")) {
            renewed.add(rows.getLong("id"));
          }
        }
      }
      return new RenewResult(renewed, held);
    }
  }
}
