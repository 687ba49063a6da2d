package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Removes the keys of jobs that finished long ago, one part of the table at a time. */
final class PurgeStatement {
  /** The SQL state if an open transaction uses the part. */
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private PurgeStatement() {}

  /** Returns how many keys were removed; none if an open transaction uses the part. */
  static long execute(Connection connection, Duration retention) throws SQLException {
    String sql = "SELECT once_job_purge(? * interval '1 microsecond')";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement).duration(retention);
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
