package dev.once.jdbc;

import dev.once.Key;
import dev.once.jdbc.internal.Parameters;
import dev.once.jdbc.internal.SqlStates;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Sends one claim: an insert, and a look-up of the record that exists instead, in one round trip.
 * Only a claim that neither of them answers goes to the grant rule.
 */
final class SingleClaim {
  /**
   * {@link InsertStatement} for one key, at two thirds of the cost, and {@link LookupStatement}.
   */
  private static final String SQL =
      """
      INSERT INTO once_record AS r (
        tenant, scope, key, format, state, recovery, fingerprint, fence, token, attempts, created_at,
        lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
      SELECT
        ?, ?, ?, %d, 'in_progress', ?, ?, (extract(epoch FROM t.now) * 1000000)::bigint, ?, 1, t.now,
        t.now + ? * interval '1 microsecond', t.now + ? * interval '1 microsecond', ?, 0, '', 'none',
        0
      FROM (SELECT statement_timestamp() AS now, set_config('lock_timeout', '%s', true)) AS t
      WHERE pg_try_advisory_xact_lock(once_lock(?, ?, ?))
      ON CONFLICT DO NOTHING
      RETURNING r.fence;
      """
              .formatted(RecordRow.FORMAT, InsertStatement.LOCK_TIMEOUT)
          + LookupStatement.SQL;

  private SingleClaim() {}

  static BatchedAnswer execute(Connection connection, ClaimCall claimCall, Packing packing)
      throws SQLException {
    if (claimCall.contested()) {
      return ClaimStatement.execute(
          connection, claimCall, ClaimStatement.MAX_BATCHED_BODY, packing);
    }
    try {
      BatchedAnswer answer = insertOrLook(connection, claimCall, packing);
      if (!(answer instanceof BatchedAnswer.Contested)) {
        return answer;
      }
    } catch (SQLException e) {
      if (!SqlStates.isLockTimeout(e)) {
        throw e;
      }
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    }
    return ClaimStatement.execute(connection, claimCall, ClaimStatement.MAX_BATCHED_BODY, packing);
  }

  private static BatchedAnswer insertOrLook(
      Connection connection, ClaimCall claimCall, Packing packing) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      Parameters parameters = new Parameters(statement);
      bindInsert(parameters, claimCall);
      LookupStatement.bind(parameters, claimCall, ClaimStatement.MAX_BATCHED_BODY);
      statement.execute();
      ResultSet inserted = statement.getResultSet();
      if (inserted.next()) {
        return new BatchedAnswer.Claimed(
            new Claim.Granted(claimCall.key(), inserted.getLong(1), 1));
      }
      statement.getMoreResults();
      ResultSet found = statement.getResultSet();
      found.next();
      return ClaimStatement.read(found, claimCall.key(), packing);
    }
  }

  private static void bindInsert(Parameters parameters, ClaimCall claimCall) throws SQLException {
    ClaimRequest request = claimCall.request();
    Key key = request.key();
    parameters
        .text(key.tenant())
        .text(key.scope())
        .text(key.value())
        .text(claimCall.recovery())
        .text(request.fingerprint().toString())
        .number(request.token())
        .duration(request.lease())
        .duration(request.lease().plus(request.retention()))
        .text(request.correlation().toText())
        .text(key.tenant())
        .text(key.scope())
        .text(key.value());
  }
}
