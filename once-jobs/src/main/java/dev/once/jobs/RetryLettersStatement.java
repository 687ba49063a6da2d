package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Makes dead letters ready again, with all their attempts. Skips letters whose key another job has
 * finished: they died because of that, and no effect happens twice for one key. A retry also skips
 * letters whose effects may be forgotten; a repetition begins anew.
 */
final class RetryLettersStatement {
  /** Of a job {@code j}: no job has finished its key. */
  private static final String IS_NOT_DONE =
      """
      NOT EXISTS (
        SELECT 1 FROM once_job_done d
        WHERE d.tenant = j.tenant AND d.queue = j.queue AND d.key = j.key)
      """;

  /** Of a job {@code j}: that, and what its attempts did is remembered. */
  static final String CAN_BE_RETRIED =
      "(j.forget_at IS NULL OR j.forget_at > clock_timestamp()) AND " + IS_NOT_DONE;

  private static final String RETRY = sql("j.began_at", CAN_BE_RETRIED, "retry");
  private static final String REPEAT = sql("NULL", IS_NOT_DONE, "repeat");

  private RetryLettersStatement() {}

  static LetterChange retry(Connection connection, String tenant, List<Long> ids, String actor)
      throws SQLException {
    return execute(connection, RETRY, tenant, ids, actor);
  }

  static LetterChange repeat(Connection connection, String tenant, List<Long> ids, String actor)
      throws SQLException {
    return execute(connection, REPEAT, tenant, ids, actor);
  }

  private static String sql(String beganAt, String condition, String action) {
    return """
      WITH %s,
      gone AS (
        UPDATE once_job j SET
          state = 'ready', attempt = 0, run_at = clock_timestamp(), died_at = NULL,
          forget_at = NULL, began_at = %s
        FROM picked p
        WHERE j.id = p.id AND j.fence = p.fence AND j.state = 'dead'
          AND %s
        RETURNING j.id, j.tenant, j.queue, j.key, j.fingerprint, p.attempt, j.correlation),
      %s
      SELECT g.id, g.queue, true AS has_work, NULL::bigint AS batch FROM gone g
      """
        .formatted(
            LetterChange.picked(LetterChange.DEAD),
            beganAt,
            condition,
            LetterChange.AUDITED.formatted(action));
  }

  private static LetterChange execute(
      Connection connection, String sql, String tenant, List<Long> ids, String actor)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement).text(tenant).array("int8", ids, id -> id).text(actor);
      return LetterChange.read(statement);
    }
  }
}
