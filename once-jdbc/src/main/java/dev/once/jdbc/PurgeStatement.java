package dev.once.jdbc;

import dev.once.jdbc.spi.Parameters;
import dev.once.spi.Purge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Removes a batch of expired records. Rows that another transaction has locked are skipped, not
 * waited for, so a purge never delays a claim for longer than its own batch takes.
 *
 * <p>Every index leads with the tenant, so a purge of all tenants walks from one tenant to the next
 * in the index rather than through the table. Each purge begins where the one before it stopped.
 *
 * <p>The time is that of the statement's start: the planner can look for that in an index, which it
 * cannot for {@code clock_timestamp()}.
 */
final class PurgeStatement {
  /** More tenants are looked at by further statements, so that none of them takes long. */
  static final int MAX_TENANTS = 1_000;

  /** The body of a recursive query {@code tenants (tenant, place)} that has each tenant once. */
  static final String TENANTS =
      """
      (SELECT r.tenant, 1 FROM once_record r WHERE r.tenant > %s ORDER BY r.tenant LIMIT 1)
      UNION ALL
      SELECT (SELECT r.tenant FROM once_record r WHERE r.tenant > t.tenant
              ORDER BY r.tenant LIMIT 1), t.place + 1
      FROM tenants t
      WHERE t.tenant IS NOT NULL
      """;

  /** The records {@code r} of a tenant {@code t} that are no longer alive, by the expiry index. */
  static final String EXPIRED =
      """
      FROM once_record r
      WHERE r.tenant = t.tenant
        AND r.expiry_slot > '-infinity' AND r.expiry_slot <= statement_timestamp()
        AND r.expires_at <= statement_timestamp()
      """;

  static final String ONE_TENANT = purgeOf("SELECT ?::text COLLATE \"C\", 1");
  static final String EVERY_TENANT =
      purgeOf(TENANTS.formatted("?") + "  AND t.place < " + MAX_TENANTS);

  private PurgeStatement() {}

  /**
   * What one statement removed and saw.
   *
   * @param removed how many records
   * @param lastRemoved the last tenant of which a record was removed, if there is one
   * @param lastSeen the last tenant that was looked at, if there is one
   * @param tenants how many tenants it could have looked at
   */
  record Purged(int removed, @Nullable String lastRemoved, @Nullable String lastSeen, int tenants) {
    /** The tenant to go on behind, empty if all tenants were looked at. */
    String next(int limit) {
      String next = removed >= limit ? lastRemoved : tenants >= MAX_TENANTS ? lastSeen : null;
      return next == null ? "" : next;
    }
  }

  /** Removes records of one tenant, or of every tenant, beginning behind {@code cursor}. */
  static int execute(Connection connection, Purge purge, PurgeCursor cursor) throws SQLException {
    if (purge.tenant().isPresent()) {
      return execute(connection, ONE_TENANT, purge.tenant().get(), purge.limit()).removed();
    }
    String start = cursor.get();
    int removed = pass(connection, purge.limit(), start, cursor);
    boolean hasSeenAll = start.isEmpty() || removed == purge.limit();
    return hasSeenAll ? removed : removed + pass(connection, purge.limit() - removed, "", cursor);
  }

  /** Goes through the tenants behind {@code start}, and leaves the cursor where it stopped. */
  private static int pass(Connection connection, int limit, String start, PurgeCursor cursor)
      throws SQLException {
    int removed = 0;
    String next = start;
    do {
      int left = limit - removed;
      Purged purged = execute(connection, EVERY_TENANT, next, left);
      removed += purged.removed();
      next = purged.next(left);
    } while (!next.isEmpty() && removed < limit);
    cursor.set(next);
    return removed;
  }

  private static Purged execute(Connection connection, String sql, String tenant, int limit)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement).text(tenant).number(limit).number(limit);
      ResultSet row = statement.executeQuery();
      row.next();
      return new Purged(row.getInt(1), row.getString(2), row.getString(3), row.getInt(4));
    }
  }

  private static String purgeOf(String tenants) {
    return """
        WITH RECURSIVE tenants (tenant, place) AS (
          %s
        ), purged AS (
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
          RETURNING tenant
        )
        SELECT (SELECT count(*) FROM purged), (SELECT max(tenant) FROM purged),
               (SELECT max(tenant) FROM tenants), (SELECT count(tenant) FROM tenants)
        """
        .formatted(tenants, EXPIRED);
  }
}
