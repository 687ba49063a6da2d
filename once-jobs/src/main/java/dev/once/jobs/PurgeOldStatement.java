package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Removes dead letters, entries of the audit trail and closed batches that are too old, a limited
 * number a call.
 */
final class PurgeOldStatement {
  static final int LIMIT = 1000;

  /** The actor of the entries of dead letters that were discarded because of their age. */
  static final String ACTOR = "retention";

  private static final String LETTERS =
      """
      SELECT j.tenant, j.id FROM once_job j
      WHERE j.state = 'dead'
        AND j.died_at < (SELECT clock_timestamp() - ? * interval '1 microsecond')
      ORDER BY j.died_at LIMIT %d
      """
          .formatted(LIMIT);

  private static final String AUDIT =
      """
      DELETE FROM once_job_audit a WHERE (a.tenant, a.id) IN (
        SELECT o.tenant, o.id FROM once_job_audit o
        WHERE o.at < (SELECT clock_timestamp() - ? * interval '1 microsecond')
        ORDER BY o.at LIMIT %d)
      """
          .formatted(LIMIT);

  private static final String BATCHES =
      """
      DELETE FROM once_job_batch b WHERE b.id IN (
        SELECT o.id FROM once_job_batch o
        WHERE o.closed_at < (SELECT clock_timestamp() - ? * interval '1 microsecond')
        ORDER BY o.closed_at LIMIT %d)
      """
          .formatted(LIMIT);

  private PurgeOldStatement() {}

  static void execute(Connection connection, Retentions retentions) throws SQLException {
    if (retentions.deadLetters().isPresent()) {
      Map<String, List<Long>> old = oldLetters(connection, retentions.deadLetters().get());
      for (Map.Entry<String, List<Long>> of : old.entrySet()) {
        RemoveJobsStatement.discard(
            connection, of.getKey(), of.getValue(), ACTOR, retentions.keys());
      }
    }
    delete(connection, AUDIT, retentions.audit());
    delete(connection, BATCHES, retentions.keys());
  }

  private static void delete(Connection connection, String sql, Duration age) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement).duration(age);
      statement.executeUpdate();
    }
  }

  private static Map<String, List<Long>> oldLetters(Connection connection, Duration age)
      throws SQLException {
    Map<String, List<Long>> ids = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(LETTERS)) {
      new Parameters(statement).duration(age);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ids.computeIfAbsent(rows.getString("tenant"), it -> new ArrayList<>())
              .add(rows.getLong("id"));
        }
      }
    }
    return ids;
  }
}
