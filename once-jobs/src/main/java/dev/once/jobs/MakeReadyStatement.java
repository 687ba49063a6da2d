package dev.once.jobs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Makes jobs ready that are due or whose lease expired. */
final class MakeReadyStatement {
  /** The maximum number of each in one call. */
  static final int LIMIT = 1000;

  private static final String SQL =
      "SELECT rescued, queues, next_due_micros FROM once_job_make_ready(" + LIMIT + ")";

  private MakeReadyStatement() {}

  /**
   * The result of a call.
   *
   * @param rescued the number of jobs whose lease expired
   * @param queues the queues that have new jobs
   * @param nextDue the time until the next job is due
   */
  record MakeReadyResult(int rescued, Set<String> queues, Optional<Duration> nextDue) {}

  static MakeReadyResult execute(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL);
        ResultSet row = statement.executeQuery()) {
      row.next();
      Set<String> queues =
          new HashSet<>(Arrays.asList((String[]) row.getArray("queues").getArray()));
      long micros = row.getLong("next_due_micros");
      Optional<Duration> nextDue =
          row.wasNull() ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
      return new MakeReadyResult(row.getInt("rescued"), queues, nextDue);
    }
  }
}
