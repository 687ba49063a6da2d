package dev.once.jobs;

import dev.once.internal.JobPayload;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/**
 * Adds a schedule, or changes what differs. An equal schedule is not changed, unless another key
 * seals payloads now: sealed bytes always differ, so fingerprints are compared.
 */
final class PutScheduleStatement {
  private static final String SQL =
      """
      WITH found AS (
        SELECT count(*) < %d OR coalesce(bool_or(s.name = ?), false) AS has_room
        FROM once_job_schedule s WHERE s.tenant = ?),
      put AS (
        INSERT INTO once_job_schedule AS s (
          tenant, name, cron, zone, queue, type, payload, sealed_by, fingerprint, version, next_at)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ? FROM found f WHERE f.has_room
        ON CONFLICT (tenant, name) DO UPDATE SET
          cron = excluded.cron, zone = excluded.zone, queue = excluded.queue,
          type = excluded.type, payload = excluded.payload, sealed_by = excluded.sealed_by,
          fingerprint = excluded.fingerprint,
          version = s.version + 1,
          next_at = CASE WHEN (s.cron, s.zone) IS DISTINCT FROM (excluded.cron, excluded.zone)
            THEN excluded.next_at ELSE s.next_at END
        WHERE (s.cron, s.zone, s.queue, s.type, s.sealed_by, s.fingerprint) IS DISTINCT FROM (
          excluded.cron, excluded.zone, excluded.queue, excluded.type, excluded.sealed_by,
          excluded.fingerprint))
      SELECT f.has_room FROM found f
      """
          .formatted(Schedule.MAX_PER_TENANT);

  private PutScheduleStatement() {}

  /** Returns false, and changes nothing, if the tenant has too many schedules for a new one. */
  static boolean execute(
      Connection connection, Schedule schedule, PayloadProtection protection, Instant nextAt)
      throws SQLException {
    JobPayload payload = protection.seal(schedule);
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(schedule.name())
          .text(schedule.tenant())
          .text(schedule.tenant())
          .text(schedule.name())
          .text(schedule.cron())
          .text(schedule.zone().getId())
          .text(schedule.queue())
          .text(schedule.type())
          .bytes(payload.bytes())
          .text(payload.sealedBy())
          .text(protection.stored(schedule.fingerprint()).toString())
          .time(nextAt);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean("has_room");
      }
    }
  }
}
