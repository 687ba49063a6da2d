package dev.once.jdbc;

import dev.once.Key;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.Claim;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Grants keys that have no record, which is the case for most claims: one insert for all of them.
 * Claims that are not inserted go to the grant rule ({@link ClaimStatement}).
 *
 * <p>A key is skipped if another transaction holds its advisory lock: that transaction may be about
 * to insert it. So the insert waits only for a transaction that writes to the table without that
 * lock, such as a purge, and not for long.
 */
final class InsertStatement {
  /** The function {@code once_claim} has the same timeout. */
  static final String LOCK_TIMEOUT = "100ms";

  static final String SQL =
      """
      INSERT INTO once_record AS r (
        tenant, scope, key, format, state, recovery, fingerprint, fence, token, attempts, created_at,
        lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
      SELECT
        a.tenant, a.scope, a.key, %d, 'in_progress', a.recovery, a.fingerprint,
        t.fence, a.token, 1, t.now,
        t.now + a.lease * interval '1 microsecond',
        t.now + (a.lease + a.retention) * interval '1 microsecond', a.correlation, 0, '', 'none', 0
      FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[],
                  ?::text[], ?::bigint[])
        AS a (tenant, scope, key, fingerprint, lease, retention, recovery, correlation, token)
      CROSS JOIN (
        SELECT
          statement_timestamp() AS now, set_config('lock_timeout', '%s', true),
          (extract(epoch FROM statement_timestamp()) * 1000000)::bigint AS fence) AS t
      WHERE pg_try_advisory_xact_lock(once_lock(a.tenant, a.scope, a.key))
      ON CONFLICT DO NOTHING
      RETURNING r.token, r.fence\
      """
          .formatted(RecordRow.FORMAT, LOCK_TIMEOUT);

  private static final int AMBIGUOUS = -1;
  private static final int FIRST_ATTEMPT = 1;

  private InsertStatement() {}

  static void bind(Parameters parameters, List<ClaimCall> claims) throws SQLException {
    ClaimCall.bind(parameters, claims)
        .texts(claims, it -> it.request().correlation().toText())
        .numbers(claims, it -> it.request().token());
  }

  /**
   * Reads the grants of those {@code claims} that were inserted into {@code answers}, each at the
   * index of its claim. Claims that share a token go to the grant rule, which distinguishes them.
   */
  static void read(ResultSet rows, List<ClaimCall> claims, List<Supplier<BatchedAnswer>> answers)
      throws SQLException {
    Map<Long, Integer> places = new HashMap<>();
    for (int i = 0; i < claims.size(); i++) {
      places.merge(claims.get(i).request().token(), i, (one, other) -> AMBIGUOUS);
    }
    while (rows.next()) {
      int place = places.getOrDefault(rows.getLong(1), AMBIGUOUS);
      if (place != AMBIGUOUS) {
        Key key = claims.get(place).request().key();
        BatchedAnswer granted =
            new BatchedAnswer.Claimed(new Claim.Granted(key, rows.getLong(2), FIRST_ATTEMPT));
        answers.set(place, () -> granted);
      }
    }
  }
}
