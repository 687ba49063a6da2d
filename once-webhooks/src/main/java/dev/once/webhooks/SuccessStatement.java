package dev.once.webhooks;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Notes that an endpoint does not fail any more. */
final class SuccessStatement {
  private static final String SQL =
      """
      UPDATE once_webhook_endpoint SET failing_since = NULL, last_failure = NULL
      WHERE tenant = ? AND id = ? AND version = ? AND failing_since IS NOT NULL
      """;

  private SuccessStatement() {}

  static int execute(Connection connection, EndpointRow endpoint) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(endpoint.tenant())
          .text(endpoint.id())
          .number(endpoint.version());
      return statement.executeUpdate();
    }
  }
}
