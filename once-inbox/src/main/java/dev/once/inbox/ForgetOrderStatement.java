package dev.once.inbox;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Deletes the stored states of objects after their retention has expired. */
final class ForgetOrderStatement {
  private static final String SQL =
      """
      DELETE FROM once_inbox_order WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM once_inbox_order WHERE expires_at <= clock_timestamp()
        LIMIT ? FOR UPDATE SKIP LOCKED))
      """;

  private ForgetOrderStatement() {}

  static int execute(Connection connection, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).number(limit);
      return statement.executeUpdate();
    }
  }
}
