package dev.once.jdbc;

import dev.once.jdbc.spi.Parameters;
import dev.once.spi.Purge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Removes a batch of expired records. Rows that anybody works on are skipped, not waited for, so a
 * purge never stands in a claim's way for longer than its own batch takes.
 *
 * <p>Every index leads with the tenant, so a purge of all tenants walks from one tenant to the next
 * in the index rather than through the table.
 */
final class PurgeStatement {
  /** The body of a recursive query {@code tenants (tenant)} that has each tenant once. */
  static final String TENANTS =
      """
      (SELECT r.tenant FROM once_record r ORDER BY r.tenant LIMIT 1)
      UNION ALL
      SELECT (SELECT r.tenant FROM once_record r WHERE r.tenant > t.tenant
              ORDER BY r.tenant LIMIT 1)
      FROM tenants t
      WHERE t.tenant IS NOT NULL
      """;

  /** The records {@code r} of a tenant {@code t} that are no longer alive, by the expiry index. */
  static final String EXPIRED =
      """
      FROM once_record r
      WHERE r.tenant = t.tenant
        AND r.expiry_slot > '-infinity' AND r.expiry_slot <= clock_timestamp()
        AND r.expires_at <= clock_timestamp()
      """;

  private static final String ONE_TENANT = purgeOf("SELECT ?::text COLLATE \"C\"");
  private static final String EVERY_TENANT = purgeOf(TENANTS);

  private PurgeStatement() {}

  /** Returns how many records were removed. */
  static int execute(Connection connection, Purge purge) throws SQLException {
    String sql = purge.tenant().isPresent() ? ONE_TENANT : EVERY_TENANT;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Parameters parameters = new Parameters(statement);
      if (purge.tenant().isPresent()) {
        parameters.text(purge.tenant().get());
      }
      parameters.number(purge.limit()).number(purge.limit());
      return statement.executeUpdate();
    }
  }

  private static String purgeOf(String tenants) {
    return """
        WITH RECURSIVE tenants (tenant) AS (
          %s
        )
        DELETE FROM once_record
        WHERE ctid = ANY (ARRAY (
          SELECT expired.ctid
          FROM tenants t CROSS JOIN LATERAL (
            SELECT r.ctid
            %s
            ORDER BY r.expiry_slot
            LIMIT ?
            FOR UPDATE SKIP LOCKED
          ) expired
          LIMIT ?))
        """
        .formatted(tenants, EXPIRED);
  }
}
