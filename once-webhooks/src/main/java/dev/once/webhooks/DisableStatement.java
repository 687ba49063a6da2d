package dev.once.webhooks;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.OptionalLong;

/** Disables an endpoint that is enabled, and, if a version is given, has the settings of it. */
final class DisableStatement {
  private static final String SQL =
      """
      UPDATE once_webhook_endpoint SET disabled_at = clock_timestamp(), disabled_reason = ?
      WHERE tenant = ? AND id = ? AND disabled_at IS NULL AND version = coalesce(?, version)
      """;

  private DisableStatement() {}

  static boolean execute(
      Connection connection, String tenant, String id, OptionalLong version, String reason)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(reason).text(tenant).text(id).number(version);
      return statement.executeUpdate() == 1;
    }
  }
}
