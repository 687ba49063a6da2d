package dev.once.jdbc;

import dev.once.TenantLimits;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.Usage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Measures the usage of a tenant. Keys are counted in the expiry index, in which times are rounded
 * to ten minutes: a key may count for that long after it has expired. Bytes are summed over the
 * {@value #MAX_ROWS} rows that expire last, and extrapolated to the others.
 */
final class UsageStatement {
  /** Reading this many rows takes 10 ms, and counting a million keys takes 100 ms. */
  static final int MAX_ROWS = 10_000;

  private static final String ALIVE =
      """
      FROM once_record r
      WHERE r.tenant = ?
        AND r.expiry_slot > '-infinity'
        AND r.expiry_slot > statement_timestamp() - interval '10 minutes'
      -- In the order of the index, so that nothing beyond the limit is read.
      ORDER BY r.expiry_slot DESC
      LIMIT ?
      """;

  private static final String SQL =
      """
      SELECT
        (SELECT count(*) FROM (SELECT %1$s) AS counted) AS keys,
        count(*) AS looked_at,
        coalesce(sum(bytes), 0) AS bytes
      FROM (
        SELECT octet_length(coalesce(r.body, '')) + octet_length(r.headers) AS bytes
        %1$s) AS rows
      """
          .formatted(ALIVE);

  private UsageStatement() {}

  static Usage execute(Connection connection, String tenant, Usage enough) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(tenant)
          .number(enough.keys())
          .text(tenant)
          .number(enough.bytes() == TenantLimits.UNLIMITED ? 0 : MAX_ROWS);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return usage(row.getLong("keys"), row.getLong("looked_at"), row.getLong("bytes"));
      }
    }
  }

  private static Usage usage(long keys, long lookedAt, long bytes) {
    boolean all = lookedAt < MAX_ROWS;
    return new Usage(keys, all ? bytes : (long) ((double) bytes / lookedAt * keys));
  }
}
