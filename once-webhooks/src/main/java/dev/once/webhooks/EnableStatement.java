package dev.once.webhooks;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Enables an endpoint that is disabled, as one that has not failed yet. */
final class EnableStatement {
  private static final String SQL =
      """
      UPDATE once_webhook_endpoint SET
        disabled_at = NULL, disabled_reason = NULL, failing_since = NULL, last_failure = NULL,
        version = version + 1
      WHERE tenant = ? AND id = ? AND disabled_at IS NOT NULL
      """;

  private EnableStatement() {}

  static boolean execute(Connection connection, String tenant, String id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(tenant).text(id);
      return statement.executeUpdate() == 1;
    }
  }
}
