package dev.once.inbox;

import dev.once.Key;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Tells whether an item is recorded, whatever its record contains. */
final class IsRecordedStatement {
  private static final String SQL =
      """
      SELECT EXISTS (
        SELECT 1 FROM once_record
        WHERE tenant = ? AND scope = ? AND key = ? AND expires_at > clock_timestamp()) AS is_recorded
      """;

  private IsRecordedStatement() {}

  static boolean execute(Connection connection, Key key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(key.tenant()).text(key.scope()).text(key.value());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean("is_recorded");
      }
    }
  }
}
