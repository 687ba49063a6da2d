package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Removes a schedule. */
final class RemoveScheduleStatement {
  private static final String SQL = "DELETE FROM once_job_schedule WHERE tenant = ? AND name = ?";

  private RemoveScheduleStatement() {}

  /** Returns whether there was one. */
  static boolean execute(Connection connection, String tenant, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(tenant).text(name);
      return statement.executeUpdate() == 1;
    }
  }
}
