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

/** Makes jobs ready whose time has come or whose lease ran out. */
final class MakeReadyStatement {
  /** How many of each in one go. */
  static final int LIMIT = 1000;

  private static final String SQL =
      "SELECT rescued, queues, next_due_micros FROM once_job_tend(" + LIMIT + ")";

  private MakeReadyStatement() {}

  /**
   * What was found.
   *
   * @param rescued how many jobs lost their worker
   * @param queues those that have new work
   * @param nextDue how long until the next job's time comes
   */
  record Tended(int rescued, Set<String> queues, Optional<Duration> nextDue) {}

  static Tended execute(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL);
        ResultSet row = statement.executeQuery()) {
      row.next();
      Set<String> queues =
          new HashSet<>(Arrays.asList((String[]) row.getArray("queues").getArray()));
      long micros = row.getLong("next_due_micros");
      Optional<Duration> nextDue =
          row.wasNull() ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
      return new Tended(row.getInt("rescued"), queues, nextDue);
    }
  }
}
