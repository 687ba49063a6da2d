package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Makes dead letters ready again, with all their attempts. Skips letters whose key another job has
 * finished: they died because of that, and no effect happens twice for one key.
 */
final class RetryLettersStatement {
  /** Of a job {@code j}: no job has finished its key. */
  static final String CAN_BE_RETRIED =
      """
      NOT EXISTS (
        SELECT 1 FROM once_job_done d
        WHERE d.tenant = j.tenant AND d.queue = j.queue AND d.key = j.key)
      """;

  private static final String SQL =
      """
      WITH %s,
      gone AS (
        UPDATE once_job j SET
          state = 'ready', attempt = 0, run_at = clock_timestamp(), died_at = NULL
        FROM picked p
        WHERE j.id = p.id AND j.fence = p.fence AND j.state = 'dead'
          AND %s
        RETURNING j.id, j.tenant, j.queue, j.key, j.fingerprint, p.attempt, j.correlation),
      %s
      SELECT g.id, g.queue, true AS has_work FROM gone g
      """
          .formatted(LetterChange.PICKED, CAN_BE_RETRIED, LetterChange.AUDITED.formatted("retry"));

  private RetryLettersStatement() {}

  static LetterChange execute(Connection connection, String tenant, List<Long> ids, String actor)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(tenant).array("int8", ids, id -> id).text(actor);
      return LetterChange.read(statement);
    }
  }
}
