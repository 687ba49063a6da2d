package dev.once.webhooks;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Deletes an endpoint. */
final class RemoveEndpointStatement {
  private static final String SQL = "DELETE FROM once_webhook_endpoint WHERE tenant = ? AND id = ?";

  private RemoveEndpointStatement() {}

  static boolean execute(Connection connection, String tenant, String id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(tenant).text(id);
      return statement.executeUpdate() == 1;
    }
  }
}
