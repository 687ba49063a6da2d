package dev.once.jobs;

import dev.once.internal.JobPayload;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds schedules that are due, or will be soon. */
final class UpcomingStatement {
  /** The maximum number of schedules in one call. */
  static final int LIMIT = 100;

  // The time is a subquery so that it can be an index condition: the volatile function would be
  // evaluated for every row.
  private static final String SQL =
      """
      SELECT s.tenant, s.name, s.version, s.cron, s.zone, s.queue, s.type, s.next_at,
             (SELECT clock_timestamp()) AS now, s.sealed_by,
             CASE WHEN s.sealed_by IS NOT NULL THEN s.payload END AS sealed_payload
      FROM once_job_schedule s
      WHERE s.next_at <= (SELECT clock_timestamp() + ? * interval '1 microsecond')
      ORDER BY s.next_at LIMIT %d
      """
          .formatted(LIMIT);

  private UpcomingStatement() {}

  /**
   * A schedule that was found.
   *
   * @param version identifies the next firing: only one node can increment it
   * @param now the database's time when it was found
   * @param sealed its payload, if that is sealed: it has to be sealed again for the job
   */
  record Upcoming(
      String tenant,
      String name,
      long version,
      String cron,
      String zone,
      String queue,
      String type,
      Instant nextAt,
      Instant now,
      Optional<JobPayload> sealed) {
    boolean isDue() {
      return !nextAt.isAfter(now);
    }
  }

  /** Returns the schedules that are due within {@code lookAhead}, the earliest first. */
  static List<Upcoming> execute(Connection connection, Duration lookAhead) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).duration(lookAhead);
      List<Upcoming> upcoming = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          upcoming.add(read(rows));
        }
      }
      return upcoming;
    }
  }

  private static Upcoming read(ResultSet row) throws SQLException {
    @Nullable String sealedBy = row.getString("sealed_by");
    return new Upcoming(
        row.getString("tenant"),
        row.getString("name"),
        row.getLong("version"),
        row.getString("cron"),
        row.getString("zone"),
        row.getString("queue"),
        row.getString("type"),
        row.getTimestamp("next_at").toInstant(),
        row.getTimestamp("now").toInstant(),
        Optional.ofNullable(row.getBytes("sealed_payload"))
            .map(it -> new JobPayload(it, sealedBy)));
  }
}
