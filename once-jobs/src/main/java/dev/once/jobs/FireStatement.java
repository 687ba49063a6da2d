package dev.once.jobs;

import dev.once.internal.JobPayload;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;

/**
 * Enqueues the jobs of schedules that are due and advances the schedules: one statement, so both
 * happen or neither. Of several nodes that found a schedule due, one finds it in the version that
 * all of them read, so that a payload that was sealed for the job is that of the schedule. No lock
 * outlasts the statement, so a paused node blocks no other node.
 */
final class FireStatement {
  private static final String SQL =
      """
      WITH due AS MATERIALIZED (
        SELECT s.tenant, s.name, f.*
        FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?) WITH ORDINALITY
          AS f (of_tenant, of_name, of_version, fired_at, then_at, key, correlation, sealed,
                sealed_by, place)
        JOIN once_job_schedule s
          ON s.tenant = f.of_tenant AND s.name = f.of_name AND s.version = f.of_version
        ORDER BY f.place
        FOR UPDATE OF s SKIP LOCKED),
      moved AS (
        UPDATE once_job_schedule s SET
          version = s.version + 1, last_at = d.fired_at, next_at = d.then_at
        FROM due d
        WHERE s.tenant = d.tenant AND s.name = d.name AND s.version = d.of_version
        RETURNING d.place, s.tenant, s.queue, s.type, d.key, s.fingerprint, d.correlation,
                  coalesce(d.sealed, s.payload) AS payload, d.sealed_by)
      SELECT m.place, e.id, e.created, e.state
      FROM moved m CROSS JOIN LATERAL once_job_enqueue(
        m.tenant, m.queue, m.type, m.key, m.fingerprint, 0::smallint, NULL, interval '0', NULL,
        m.correlation, m.payload, m.sealed_by) e
      """;

  private FireStatement() {}

  /** A firing that this call made. */
  record Fired(ScheduleFiring firing, EnqueueResult result) {}

  static List<Fired> execute(Connection connection, List<ScheduleFiring> firings)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("text", firings, it -> it.schedule().tenant())
          .array("text", firings, it -> it.schedule().name())
          .array("int8", firings, it -> it.schedule().version())
          .array("timestamptz", firings, it -> Timestamp.from(it.firedAt()))
          .array("timestamptz", firings, it -> Timestamp.from(it.nextAt()))
          .array("text", firings, it -> it.key().value())
          .array("text", firings, it -> it.correlation().toText())
          .byteArrays(firings, it -> it.sealed().map(JobPayload::bytes).orElse(null))
          .array("text", firings, it -> it.sealed().map(JobPayload::sealedBy).orElse(null));
      List<Fired> fired = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          fired.add(new Fired(firings.get(rows.getInt("place") - 1), read(rows)));
        }
      }
      return fired;
    }
  }

  private static EnqueueResult read(ResultSet row) throws SQLException {
    return new EnqueueResult(
        row.getLong("id"), row.getBoolean("created"), JobState.of(row.getString("state")));
  }
}
