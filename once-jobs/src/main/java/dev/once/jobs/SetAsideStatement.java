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
 * Sets claimed jobs aside whose rows cannot be read, so that they do not stop the others. During an
 * upgrade, a process of the other release may be able to read them: they wait as long as they are
 * old, so that they are claimed a few times only, and become dead letters after a day.
 */
final class SetAsideStatement {
  /** The shortest wait. */
  private static final Duration MIN_WAIT = Duration.ofSeconds(30);

  /** How long after it was enqueued such a job still waits. */
  private static final Duration MAX_AGE = Duration.ofHours(24);

  private static final String SQL =
      """
      UPDATE once_job j SET
        state = CASE WHEN a.waits THEN 'waiting' ELSE 'dead' END,
        run_at = CASE WHEN a.waits
          THEN a.now + greatest(a.now - j.enqueued_at, ? * interval '1 microsecond')
          ELSE j.run_at END,
        began_at = CASE WHEN j.attempt > 0 OR j.lapsed_at IS NOT NULL THEN j.began_at END,
        died_at = CASE WHEN a.waits THEN NULL ELSE a.now END,
        lease_until = NULL, counted = false, reason = c.reason, stack = NULL, failure = NULL
      FROM unnest(?, ?, ?) AS c (id, fence, reason)
      JOIN once_job o ON o.id = c.id
      CROSS JOIN LATERAL (
        SELECT n.now, o.enqueued_at > n.now - ? * interval '1 microsecond' AS waits
        FROM (SELECT clock_timestamp()) AS n (now)) a
      WHERE %s
      RETURNING j.id, j.state || '' = 'dead' AS is_dead
      """
          .formatted(GrantCondition.SQL);

  private SetAsideStatement() {}

  /** Returns the ids of those that are dead letters now. */
  static Set<Long> execute(Connection connection, List<UnreadableJob> jobs) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .duration(MIN_WAIT)
          .array("int8", jobs, UnreadableJob::id)
          .array("int8", jobs, UnreadableJob::fence)
          .array("text", jobs, UnreadableJob::reason)
          .duration(MAX_AGE);
      Set<Long> dead = new HashSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          if (rows.getBoolean("is_dead")) {
            dead.add(rows.getLong("id"));
          }
        }
      }
      return dead;
    }
  }
}
