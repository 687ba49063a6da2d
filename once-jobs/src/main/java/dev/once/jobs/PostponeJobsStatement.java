package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Changes when jobs are due that do not run. A job that is blocked stays so, and a job whose key
 * has to be checked first stays waiting.
 */
final class PostponeJobsStatement {
  private static final String STATES = "j.state || '' IN ('waiting', 'ready', 'blocked')";

  private static final String SQL =
      """
      WITH %s,
      gone AS (
        UPDATE once_job j SET
          run_at = clock_timestamp() + d.delay,
          state = CASE
            WHEN j.state = 'blocked' THEN j.state
            WHEN d.delay > interval '0' OR NOT j.checked THEN 'waiting'
            ELSE 'ready' END
        FROM picked p CROSS JOIN (SELECT ? * interval '1 microsecond') AS d (delay)
        WHERE j.id = p.id AND j.fence = p.fence AND %s
        RETURNING j.id, j.tenant, j.queue, j.key, j.fingerprint, j.attempt, j.correlation, j.state),
      %s
      SELECT g.id, g.queue, g.state = 'ready' AS has_work, NULL::bigint AS batch FROM gone g
      """
          .formatted(
              LetterChange.picked(STATES), STATES, LetterChange.AUDITED.formatted("postpone"));

  private PostponeJobsStatement() {}

  static LetterChange execute(
      Connection connection, String tenant, List<Long> ids, String actor, Duration delay)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(tenant)
          .array("int8", ids, id -> id)
          .duration(delay)
          .text(actor);
      return LetterChange.read(statement);
    }
  }
}
