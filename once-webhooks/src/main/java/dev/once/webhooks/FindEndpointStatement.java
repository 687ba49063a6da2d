package dev.once.webhooks;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Reads one endpoint. */
final class FindEndpointStatement {
  private static final String SQL =
      "SELECT "
          + EndpointRow.COLUMNS
          + " FROM once_webhook_endpoint e WHERE e.tenant = ? AND e.id = ?";

  private FindEndpointStatement() {}

  static Optional<EndpointRow> execute(Connection connection, String tenant, String id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(tenant).text(id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(EndpointRow.read(row)) : Optional.empty();
      }
    }
  }
}
