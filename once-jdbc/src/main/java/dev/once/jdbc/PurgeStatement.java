package dev.once.jdbc;

import dev.once.jdbc.internal.Parameters;
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
 * <p>Every index starts with the tenant, so a purge of all tenants goes from one tenant to the next
 * in the index and does not scan the table. Each purge starts where the previous one stopped.
 *
 * <p>Expiry is compared with the statement's start, because the planner can use an index for {@code
 * statement_timestamp()}, but not for {@code clock_timestamp()}.
 */
final class PurgeStatement {
  /** The most tenants of one statement: more take further statements, so that each one is short. */
  static final int MAX_TENANTS = 1_000;

  /**
   * The body of a recursive query {@code tenants (tenant, place)} that returns each tenant once.
   */
  static final String TENANTS =
      """
      (SELECT r.tenant, 1 FROM once_record r WHERE r.tenant > %s ORDER BY r.tenant LIMIT 1)
      UNION ALL
      SELECT (SELECT r.tenant FROM once_record r WHERE r.tenant > t.tenant
              ORDER BY r.tenant LIMIT 1), t.place + 1
      FROM tenants t
      WHERE t.tenant IS NOT NULL
      """;

  /** The expired records {@code r} of a tenant {@code t}, found by the expiry index. */
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
   * The result of one statement.
   *
   * @param removed how many records it removed
   * @param lastRemoved the last tenant of which it removed a record, if there is one
   * @param lastSeen the last tenant that it listed, if there is one
   * @param tenants how many tenants it listed
   */
  record Purged(int removed, @Nullable String lastRemoved, @Nullable String lastSeen, int tenants) {
    /** Returns the tenant after which to continue, empty if there are no further tenants. */
    String next(int limit) {
      String next = removed >= limit ? lastRemoved : tenants >= MAX_TENANTS ? lastSeen : null;
      return next == null ? "" : next;
    }
  }

  /** Removes records of one tenant, or of every tenant, starting after {@code cursor}. */
  static int execute(Connection connection, Purge purge, PurgeCursor cursor) throws SQLException {
    if (purge.tenant().isPresent()) {
      return execute(connection, ONE_TENANT, purge.tenant().get(), purge.limit()).removed();
    }
    String start = cursor.get();
    int removed = pass(connection, purge.limit(), start, cursor);
    boolean hasSeenAll = start.isEmpty() || removed == purge.limit();
    return hasSeenAll ? removed : removed + pass(connection, purge.limit() - removed, "", cursor);
  }

  /** Purges the tenants after {@code start}, and moves the cursor to where it stopped. */
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
