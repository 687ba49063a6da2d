package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Removes dead letters and unblocks the next jobs of their aggregates. Their keys are stored like
 * those of finished jobs.
 */
final class DiscardLettersStatement {
  private static final String SQL =
      """
      WITH %s,
      gone AS (
        DELETE FROM once_job j USING picked p
        WHERE j.id = p.id AND j.fence = p.fence AND j.state = 'dead'
        RETURNING j.id, j.tenant, j.queue, j.key, j.fingerprint, j.attempt, j.correlation,
                  j.aggregate),
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
      SELECT g.id, g.queue, EXISTS (SELECT 1 FROM followers) AS has_work FROM gone g
      """
          .formatted(
              LetterChange.PICKED, LetterChange.AUDITED.formatted("discard"), BlockedJobs.SQL);

  private DiscardLettersStatement() {}

  static LetterChange execute(
      Connection connection, String tenant, List<Long> ids, String actor, Duration retention)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(tenant)
          .array("int8", ids, id -> id)
          .duration(retention)
          .text(actor);
      return LetterChange.read(statement);
    }
  }
}
