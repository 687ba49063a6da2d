package dev.once.jobs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** Reads the database's clock, the only one that counts. */
final class NowStatement {
  private NowStatement() {}

  static Instant execute(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT clock_timestamp()");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getTimestamp(1).toInstant();
    }
  }
}
