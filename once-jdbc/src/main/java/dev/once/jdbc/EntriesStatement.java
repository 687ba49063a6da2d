package dev.once.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Counts a small table, and estimates a larger one as PostgreSQL's planner does it: rows per page
 * as of the last vacuum or analyze, times the current number of pages. A small table is counted
 * because its estimate may stay at zero: PostgreSQL does not analyze again after a few new rows.
 */
final class EntriesStatement {
  /** Up to here a table is counted, at the cost of reading 8 MiB. */
  private static final int MAX_COUNTED_PAGES = 1024;

  static final String SQL =
      """
      SELECT CASE
        WHEN counted.rows < %1$d THEN counted.rows
        ELSE GREATEST(counted.rows, estimated.rows)
      END
      FROM (
        SELECT c.reltuples, c.relpages,
          pg_relation_size(c.oid) / current_setting('block_size')::bigint AS pages
        FROM pg_class c
        WHERE c.oid = 'once_record'::regclass
      ) AS size
      CROSS JOIN LATERAL (
        SELECT CASE WHEN size.relpages > 0
          THEN (size.reltuples / size.relpages * size.pages)::bigint
          ELSE 0
        END AS rows
      ) AS estimated
      CROSS JOIN LATERAL (
        SELECT CASE WHEN size.pages <= %2$d OR estimated.rows = 0
          THEN (SELECT count(*) FROM (SELECT FROM once_record LIMIT %1$d) AS some_rows)
        END AS rows
      ) AS counted
      """
          .formatted(RecordCensus.MAX_COUNT, MAX_COUNTED_PAGES);

  private EntriesStatement() {}

  static long execute(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL);
        ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new AssertionError("a table that was found by name has a row in pg_class");
      }
      return row.getLong(1);
    }
  }
}
