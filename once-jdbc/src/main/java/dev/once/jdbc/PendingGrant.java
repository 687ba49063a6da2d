package dev.once.jdbc;

import dev.once.jdbc.internal.Parameters;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A grant of a key without a record, in the caller's transaction. The transaction holds the key's
 * advisory lock, so the record is written only once, by the completion.
 */
record PendingGrant(ClaimRequest request, Claim.Granted grant) {
  /**
   * Fails if the transaction is not the one that made the claim, and with a unique violation if the
   * key has a record after all.
   */
  static final String COMPLETE =
      """
      WITH t AS MATERIALIZED (
        SELECT statement_timestamp() AS now, current_setting('lock_timeout') AS before,
               set_config('lock_timeout', '%2$s', true)
      ), done AS (INSERT INTO once_record (
        tenant, scope, key, format, state, recovery, fingerprint, fence, token, attempts, created_at,
        lease_until, expires_at, correlation, status, headers, body_form, body_bytes, body)
      SELECT
        ?, ?, ?, %1$d, ?, ?, ?, ?, ?, 1, to_timestamp(?::double precision / 1000000), t.now,
        t.now + ? * interval '1 microsecond', ?, ?, ?, ?, ?, ?
      FROM t
      WHERE once_pending(once_lock(?, ?, ?)) RETURNING 1)
      SELECT once_require((SELECT count(*) FROM done) = 1),
             set_config('lock_timeout', (SELECT before FROM t), true)\
      """
          .formatted(RecordRow.FORMAT, InsertStatement.LOCK_TIMEOUT);

  void bind(PreparedStatement statement, CompletionCall end) throws SQLException {
    new Parameters(statement)
        .text(request.key().tenant())
        .text(request.key().scope())
        .text(request.key().value())
        .text(end.state())
        .text(new ClaimCall(request).recovery())
        .text(request.fingerprint().toString())
        .number(grant.fence())
        .number(request.token())
        .number(grant.fence())
        .duration(end.retention())
        .text(request.correlation().toText())
        .number(end.outcome().status())
        .text(end.headers())
        .text(end.body().form)
        .number(end.body().size)
        .bytes(end.body().bytes)
        .text(request.key().tenant())
        .text(request.key().scope())
        .text(request.key().value());
  }

  /** Answers another claim of the key in the same transaction. */
  Claim answer(ClaimRequest other) {
    return other.fingerprint().equals(request.fingerprint())
        ? new Claim.Held(request.lease())
        : new Claim.Mismatched();
  }

  /** Returns the record as if it had been written with the claim. */
  RecordView view() {
    Instant granted = Instant.EPOCH.plus(grant.fence(), ChronoUnit.MICROS);
    Instant leaseUntil = granted.plus(request.lease());
    return new RecordView(
        request.key(),
        State.IN_PROGRESS,
        request.fingerprint(),
        grant.fence(),
        grant.attempt(),
        request.recovery(),
        granted,
        leaseUntil,
        leaseUntil.plus(request.retention()),
        request.correlation(),
        Optional.empty());
  }
}
