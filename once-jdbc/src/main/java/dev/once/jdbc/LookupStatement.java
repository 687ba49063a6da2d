package dev.once.jdbc;

import dev.once.Key;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.ClaimRequest;
import java.sql.SQLException;

/**
 * Looks up the record of a key, and decides whether it answers a claim as it is. Always returns one
 * row, with the columns of {@link ClaimStatement} and three more: {@code now_micros} is the time,
 * {@code found} says whether there is a record, and {@code is_current} whether the snapshot has
 * everything that was committed before this statement.
 */
final class LookupStatement {
  static final String SQL =
      """
      SELECT
        (extract(epoch FROM t.now) * 1000000)::bigint AS now_micros,
        current_setting('transaction_isolation') = 'read committed' AS is_current,
        r.key IS NOT NULL AS found,
        CASE WHEN once_answers(r, t.fingerprint, t.max_attempts, t.token, t.reconciling, t.now)
             THEN false END AS granted,
        r.fence, r.attempts, r.format, r.state, r.fingerprint = t.fingerprint AS matches,
        r.token = t.token AS same_claim,
        (extract(epoch FROM r.lease_until - t.now) * 1000000)::bigint AS lease_left_micros,
        r.correlation, r.status, r.headers, r.body_form, r.body_bytes,
        octet_length(r.body) AS stored_bytes,
        CASE WHEN octet_length(r.body) <= t.max_body THEN r.body END AS body
      FROM (SELECT clock_timestamp() AS now, ?::text AS fingerprint, ?::integer AS max_attempts,
                   ?::bigint AS token, ?::boolean AS reconciling, ?::integer AS max_body) AS t
      LEFT JOIN once_record AS r ON r.tenant = ? AND r.scope = ? AND r.key = ?\
      """;

  private LookupStatement() {}

  static void bind(Parameters parameters, ClaimCall claimCall, int maxBody) throws SQLException {
    ClaimRequest request = claimCall.request();
    Key key = request.key();
    parameters
        .text(request.fingerprint().toString())
        .number(request.maxAttempts())
        .number(request.token())
        .flag(claimCall.request().reconciling())
        .number(maxBody)
        .text(key.tenant())
        .text(key.scope())
        .text(key.value());
  }
}
