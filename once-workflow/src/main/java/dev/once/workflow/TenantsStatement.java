package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads the tenants that have runs: a few pages of the primary key for each, and no other rows. */
final class TenantsStatement {
  private static final String SQL =
      """
      WITH RECURSIVE found (tenant, number) AS (
        (SELECT r.tenant, 1 FROM once_workflow_run r
         WHERE r.tenant > ? ORDER BY r.tenant LIMIT 1)
        UNION ALL
        SELECT (SELECT r.tenant FROM once_workflow_run r
                WHERE r.tenant > f.tenant ORDER BY r.tenant LIMIT 1),
          f.number + 1
        FROM found f WHERE f.tenant IS NOT NULL AND f.number < ?)
      SELECT f.tenant FROM found f WHERE f.tenant IS NOT NULL ORDER BY f.number
      """;

  private TenantsStatement() {}

  static List<String> execute(Connection connection, String after, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(after).number(limit);
      try (ResultSet rows = statement.executeQuery()) {
        List<String> tenants = new ArrayList<>();
        while (rows.next()) {
          tenants.add(rows.getString("tenant"));
        }
        return tenants;
      }
    }
  }
}
