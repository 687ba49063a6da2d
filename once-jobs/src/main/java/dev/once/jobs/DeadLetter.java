package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Headers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Optional;

/**
 * A job that was given up: it does not run again unless an operator retries it.
 *
 * @param reason why its last attempt failed, or why its handler gave it up
 * @param stack the stack trace, if an exception was the cause
 * @param payloadBytes the size of its payload as it is stored: compressed, if it is sealed; {@link
 *     DeadLetters#payload} returns the bytes
 * @param fingerprint the payload's hash, unless the job was enqueued with a fingerprint of its own
 * @param attempt the number of attempts
 * @param correlation the ids that it was enqueued with; none if they cannot be read
 * @param aggregate the aggregate that it blocks
 * @param forgetAt from then on, the records of what its attempts did may be gone, and it can only
 *     be repeated, not retried; empty if failed attempts leave nothing behind
 */
public record DeadLetter(
    long id,
    JobKey key,
    String reason,
    Optional<String> stack,
    int payloadBytes,
    Fingerprint fingerprint,
    int attempt,
    Headers correlation,
    Instant enqueuedAt,
    Instant diedAt,
    Optional<String> aggregate,
    Optional<Instant> forgetAt) {
  /** The columns of a row {@code j} that {@link #read} needs. */
  static final String COLUMNS =
      """
      j.id, j.tenant, j.queue, j.type, j.key, %s,
      octet_length(j.payload) AS payload_bytes, j.fingerprint, j.attempt, j.correlation,
      j.enqueued_at, j.died_at, j.aggregate, j.forget_at
      """
          .formatted(StoredFailure.COLUMNS);

  static DeadLetter read(ResultSet row, PayloadProtection protection) throws SQLException {
    JobKey key =
        JobKey.of(
            row.getString("tenant"),
            row.getString("queue"),
            row.getString("type"),
            row.getString("key"));
    AttemptFailure failure =
        StoredFailure.read(row)
            .open(key, protection)
            .orElseGet(() -> AttemptFailure.of("no reason is stored"));
    return new DeadLetter(
        row.getLong("id"),
        key,
        failure.reason(),
        failure.stack(),
        row.getInt("payload_bytes"),
        Fingerprint.parse(row.getString("fingerprint")),
        row.getInt("attempt"),
        correlation(row),
        row.getTimestamp("enqueued_at").toInstant(),
        row.getTimestamp("died_at").toInstant(),
        Optional.ofNullable(row.getString("aggregate")),
        Optional.ofNullable(row.getTimestamp("forget_at")).map(Timestamp::toInstant));
  }

  /** Does not hide a letter because of its ids: it may have died because of them. */
  private static Headers correlation(ResultSet row) throws SQLException {
    try {
      return Headers.parse(row.getString("correlation"));
    } catch (RuntimeException e) {
      return Headers.NONE;
    }
  }

  /** Shows what is safe in a log: reasons and aggregates may be private. */
  @Override
  public String toString() {
    return "DeadLetter[%d, %s, attempt %d, %d bytes]".formatted(id, key, attempt, payloadBytes);
  }
}
