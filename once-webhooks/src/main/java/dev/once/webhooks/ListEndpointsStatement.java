package dev.once.webhooks;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads the endpoints of a tenant, which are limited, in the order of their ids. */
final class ListEndpointsStatement {
  private static final String SQL =
      "SELECT "
          + EndpointRow.COLUMNS
          + " FROM once_webhook_endpoint e WHERE e.tenant = ? ORDER BY e.tenant, e.id";

  private ListEndpointsStatement() {}

  static List<EndpointRow> execute(Connection connection, String tenant) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(tenant);
      try (ResultSet rows = statement.executeQuery()) {
        List<EndpointRow> endpoints = new ArrayList<>();
        while (rows.next()) {
          endpoints.add(EndpointRow.read(rows));
        }
        return endpoints;
      }
    }
  }
}
