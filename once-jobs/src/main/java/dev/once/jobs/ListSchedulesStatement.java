package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a tenant's schedules. */
final class ListSchedulesStatement {
  private static final String SQL =
      """
      SELECT s.tenant, s.name, s.cron, s.zone, s.queue, s.type,
             octet_length(s.payload) AS payload_bytes, s.next_at, s.last_at
      FROM once_job_schedule s WHERE s.tenant = ? ORDER BY s.name
      """;

  private ListSchedulesStatement() {}

  static List<ScheduleView> execute(Connection connection, String tenant) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(tenant);
      List<ScheduleView> schedules = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          schedules.add(read(rows));
        }
      }
      return schedules;
    }
  }

  private static ScheduleView read(ResultSet row) throws SQLException {
    return new ScheduleView(
        row.getString("tenant"),
        row.getString("name"),
        row.getString("cron"),
        row.getString("zone"),
        row.getString("queue"),
        row.getString("type"),
        row.getInt("payload_bytes"),
        row.getTimestamp("next_at").toInstant(),
        Optional.ofNullable(row.getTimestamp("last_at")).map(Timestamp::toInstant));
  }
}
