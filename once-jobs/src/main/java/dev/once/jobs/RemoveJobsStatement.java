package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Removes dead letters, or jobs that are not finished, and unblocks the next jobs of their
 * aggregates. Their keys are stored like those of finished jobs. A worker that runs one of the jobs
 * loses its lease.
 */
final class RemoveJobsStatement {
  private static final String DISCARD = sql(LetterChange.DEAD, "discard");
  private static final String CANCEL = sql(LetterChange.UNFINISHED, "cancel");

  private RemoveJobsStatement() {}

  static LetterChange discard(
      Connection connection, String tenant, List<Long> ids, String actor, Duration retention)
      throws SQLException {
    return execute(connection, DISCARD, tenant, ids, actor, retention);
  }

  static LetterChange cancel(
      Connection connection, String tenant, List<Long> ids, String actor, Duration retention)
      throws SQLException {
    return execute(connection, CANCEL, tenant, ids, actor, retention);
  }

  private static String sql(String states, String action) {
    return """
      WITH %s,
      gone AS (
        DELETE FROM once_job j USING picked p
        WHERE j.id = p.id AND j.fence = p.fence AND %s
        RETURNING j.id, j.tenant, j.queue, j.key, j.fingerprint, j.attempt, j.correlation, j.batch,
                  -- The first job of the aggregate is not blocked, and not removed.
                  CASE WHEN j.state <> 'blocked' THEN j.aggregate END AS aggregate),
      kept AS (
        INSERT INTO once_job_done (
          part, tenant, queue, key, fingerprint, job, attempt, discarded, correlation,
          finished_at, keep_until)
        SELECT p.part, g.tenant, g.queue, g.key, g.fingerprint, g.id, g.attempt, true,
               g.correlation, clock_timestamp(), clock_timestamp() + r.kept
        FROM gone g
        CROSS JOIN (SELECT ? * interval '1 microsecond') AS r (kept)
        CROSS JOIN LATERAL once_job_part(r.kept) AS p (part)
        -- A letter may have died because its key was used before: then that entry stays.
        WHERE NOT EXISTS (
          SELECT 1 FROM once_job_done d
          WHERE d.tenant = g.tenant AND d.queue = g.queue AND d.key = g.key)),
      %s,
      %s
      SELECT g.id, g.queue, EXISTS (SELECT 1 FROM followers) AS has_work, g.batch FROM gone g
      """
        .formatted(
            LetterChange.picked(states),
            states,
            LetterChange.AUDITED.formatted(action),
            BlockedJobs.SQL);
  }

  private static LetterChange execute(
      Connection connection,
      String sql,
      String tenant,
      List<Long> ids,
      String actor,
      Duration retention)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement)
          .text(tenant)
          .array("int8", ids, id -> id)
          .duration(retention)
          .text(actor);
      return LetterChange.read(statement);
    }
  }
}
