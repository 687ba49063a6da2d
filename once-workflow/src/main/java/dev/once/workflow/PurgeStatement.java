package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Removes runs that ended long ago, with their histories and signals. */
final class PurgeStatement {
  private static final String SQL = "SELECT once_workflow_purge(? * interval '1 microsecond', ?)";

  private PurgeStatement() {}

  static int execute(Connection connection, Duration retention, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).duration(retention).number(limit);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }
}
