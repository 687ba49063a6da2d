package dev.once.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Counts records, and among them expired ones: in the expiry index, tenant by tenant as in a purge.
 */
final class CensusStatement {
  static final String SQL =
      """
      WITH RECURSIVE tenants (tenant, place) AS (
        %1$s
      )
      SELECT
        (%4$s) AS entries,
        (SELECT count(*) FROM (
           SELECT FROM tenants t CROSS JOIN LATERAL (SELECT %2$s LIMIT %3$d) AS expired
           LIMIT %3$d) AS counted) AS stale
      """
          .formatted(
              PurgeStatement.TENANTS.formatted("''"),
              PurgeStatement.EXPIRED,
              RecordCensus.MAX_COUNT,
              EntriesStatement.SQL);

  private CensusStatement() {}

  static RecordCensus execute(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL);
        ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new AssertionError("a query without a table has a row");
      }
      return new RecordCensus(row.getLong("entries"), row.getInt("stale"));
    }
  }
}
