package dev.once.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Fills Once's table with completed records, like a day of traffic. */
final class ScaleTable {
  /**
   * Parameters: the number of records in total, and the numbers of the first and the last to
   * insert. Times rise with the numbers over the last 23 hours and records are kept for 24, so none
   * expires during the measurement.
   */
  private static final String INSERT =
      """
      INSERT INTO once_record (
        tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
        lease_until, expires_at, correlation, status, headers, body_form, body_bytes, body)
      SELECT
        CASE WHEN n %% 2 = 0 THEN '%s' ELSE 'tenant-' || n / 2 %% %d END,
        '%s', hash::uuid::text, 1, 'completed', 'rerun', 'sha256:' || hash,
        extract(epoch FROM at) * 1000000, 1, at, at + interval '30 s', at + interval '24 h', '',
        201, 'Content-Type: application/json', 'raw', length(body), body
      FROM (
        SELECT n, md5(n::text) AS hash,
          now() - interval '23 h' * (1 - n / ?::float8) AS at,
          convert_to('{"order":' || n || ',"state":"created","total":"19.90"}', 'UTF8') AS body
        FROM generate_series(?::bigint, ?::bigint) AS n) AS numbered
      """
          .formatted(Sample.TENANT, ScaleKeys.SMALL_TENANTS, ScaleKeys.SCOPE);

  /** Takes some seconds: enough to show progress, with a negligible cost per step. */
  private static final long STEP_ROWS = 500_000;

  private final BenchDatabase database;
  private final long rows;

  ScaleTable(BenchDatabase database, long rows) {
    this.database = database;
    this.rows = rows;
  }

  BenchDatabase database() {
    return database;
  }

  long rows() {
    return rows;
  }

  /** Inserts records 0 to {@code rows - 1} in steps, with the indexes in place as in production. */
  void fill(Progress progress) throws SQLException {
    try (Connection connection = database.pool().getConnection();
        Statement session = connection.createStatement();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      session.execute("SET synchronous_commit = off");
      for (long first = 0; first < rows; first += STEP_ROWS) {
        progress.say("scale: filling, %,d of %,d records".formatted(first, rows));
        insert.setLong(1, rows);
        insert.setLong(2, first);
        insert.setLong(3, Math.min(first + STEP_ROWS, rows) - 1);
        insert.executeUpdate();
      }
      session.execute("RESET synchronous_commit");
    }
    progress.say("scale: VACUUM ANALYZE of %,d records".formatted(rows));
    database.settle();
    database.execute("CHECKPOINT");
  }
}
