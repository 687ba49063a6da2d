package dev.once.inbox;

import dev.once.jdbc.internal.Parameters;
import dev.once.jobs.JobState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the jobs of items by the beginnings of their keys: what follows is random. Each is one
 * look-up in the index of unfinished jobs, and one in that of finished ones.
 */
final class ItemJobsStatement {
  /** What follows the id of an item in the key of its job, and the next character after it. */
  private static final String RANGE =
      "key > wanted.start || '@' COLLATE \"C\" AND key < wanted.start || 'A' COLLATE \"C\"";

  private static final String SQL =
      """
      WITH wanted AS (
        SELECT start COLLATE "C" AS start FROM unnest(?::text[]) AS w (start)
      )
      SELECT wanted.start, job.* FROM wanted CROSS JOIN LATERAL (
        SELECT id, state, attempt, run_at, false AS discarded FROM once_job
        WHERE tenant = ? AND queue = ? AND %1$s
        ORDER BY key LIMIT 1) AS job
      UNION ALL
      SELECT wanted.start, job.* FROM wanted CROSS JOIN LATERAL (
        SELECT job AS id, 'done', attempt, NULL::timestamptz, discarded FROM once_job_done
        WHERE tenant = ? AND queue = ? AND %1$s
        ORDER BY finished_at DESC LIMIT 1) AS job
      """
          .formatted(RANGE);

  private ItemJobsStatement() {}

  /**
   * Returns jobs by the beginnings of their keys; of an item with several, one that is not
   * finished.
   */
  static Map<String, ItemJob> execute(
      Connection connection, String tenant, String queue, List<String> starts) throws SQLException {
    Map<String, ItemJob> jobs = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .texts(starts, it -> it)
          .text(tenant)
          .text(queue)
          .text(tenant)
          .text(queue);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          ItemJob job = read(row);
          jobs.merge(
              row.getString("start"),
              job,
              (known, other) -> known.state() == JobState.DONE ? other : known);
        }
      }
    }
    return jobs;
  }

  private static ItemJob read(ResultSet row) throws SQLException {
    return new ItemJob(
        row.getLong("id"),
        JobState.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        row.getInt("attempt"),
        Optional.ofNullable(row.getTimestamp("run_at")).map(Timestamp::toInstant),
        row.getBoolean("discarded"));
  }
}
