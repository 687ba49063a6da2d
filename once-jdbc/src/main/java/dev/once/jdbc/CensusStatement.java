package dev.once.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Counts records without reading the table. The total is estimated as PostgreSQL's planner does it:
 * rows per page as of the last vacuum, times the current number of pages. Expired records are
 * counted in the expiry index, tenant by tenant as in a purge.
 */
final class CensusStatement {
  static final String SQL =
      """
      WITH RECURSIVE tenants (tenant, place) AS (
        %1$s
      )
      SELECT
        CASE WHEN c.relpages > 0
          THEN (c.reltuples / c.relpages
                * (pg_relation_size(c.oid) / current_setting('block_size')::bigint))::bigint
          ELSE (SELECT count(*) FROM (SELECT FROM once_record LIMIT %3$d) AS counted)
        END AS entries,
        (SELECT count(*) FROM (
           SELECT FROM tenants t CROSS JOIN LATERAL (SELECT %2$s LIMIT %3$d) AS expired
           LIMIT %3$d) AS counted) AS stale
      FROM pg_class c
      WHERE c.oid = 'once_record'::regclass
      """
          .formatted(
              PurgeStatement.TENANTS.formatted("''"),
              PurgeStatement.EXPIRED,
              RecordCensus.MAX_COUNT);

  private CensusStatement() {}

  static RecordCensus execute(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL);
        ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new AssertionError("a table that was found by name has a row in pg_class");
      }
      return new RecordCensus(row.getLong("entries"), row.getInt("stale"));
    }
  }
}
