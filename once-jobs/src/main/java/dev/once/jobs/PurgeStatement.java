package dev.once.jobs;

import dev.once.jdbc.spi.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Forgets the keys of jobs that were finished long ago, a part of the table at a time. */
final class PurgeStatement {
  /** What PostgreSQL says if somebody's open transaction has the part. */
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private PurgeStatement() {}

  /** Returns how many keys were forgotten; none if somebody has to finish first. */
  static long execute(Connection connection, Duration kept) throws SQLException {
    String sql = "SELECT once_job_purge(? * interval '1 microsecond')";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement).duration(kept);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    } catch (SQLException e) {
      if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        return 0;
      }
      throw e;
    }
  }
}
