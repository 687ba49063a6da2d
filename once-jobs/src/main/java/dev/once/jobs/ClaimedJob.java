package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.internal.JobPayload;
import dev.once.internal.Limits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A job as it was when a worker claimed it.
 *
 * @param attempt the number of this attempt
 * @param isOrdered whether other jobs of its aggregate may be blocked by it
 * @param age how long it had been due when it was claimed, by the database's clock
 * @param sinceEnqueued how long ago it had been enqueued when it was claimed, by the same clock
 * @param sinceBegan how long ago it had been claimed for its first attempt, by the same clock
 * @param sinceLapsed how long ago a lease of it had expired, if one did since it failed last
 * @param payload the payload as its row has it, perhaps sealed
 * @param batch the batch that it was a member of
 */
record ClaimedJob(
    long id,
    long fence,
    int attempt,
    JobKey key,
    Fingerprint fingerprint,
    int priority,
    boolean isOrdered,
    Instant enqueuedAt,
    Duration age,
    Duration sinceEnqueued,
    Duration sinceBegan,
    Optional<Duration> sinceLapsed,
    Headers correlation,
    JobPayload payload,
    OptionalLong batch) {
  /** No release writes more. A larger payload is not read: it could take all memory. */
  static final int MAX_STORED_BYTES = 2 * Job.MAX_PAYLOAD_BYTES;

  ClaimedJob {
    Limits.range("attempt", attempt, 1, Integer.MAX_VALUE);
  }

  /**
   * Reads a row.
   *
   * @throws RuntimeException if this release cannot read it
   */
  static ClaimedJob read(ResultSet row) throws SQLException {
    return new ClaimedJob(
        row.getLong("id"),
        row.getLong("fence"),
        Math.addExact(row.getInt("attempt"), 1),
        JobKey.of(
            row.getString("tenant"),
            row.getString("queue"),
            row.getString("type"),
            row.getString("key")),
        Fingerprint.parse(row.getString("fingerprint")),
        row.getInt("priority"),
        row.getBoolean("is_ordered"),
        row.getTimestamp("enqueued_at").toInstant(),
        Duration.of(row.getLong("age_micros"), ChronoUnit.MICROS),
        Duration.of(row.getLong("since_enqueued_micros"), ChronoUnit.MICROS),
        Duration.of(row.getLong("since_began_micros"), ChronoUnit.MICROS),
        sinceLapsed(row),
        Headers.parse(row.getString("correlation")),
        payload(row),
        batch(row));
  }

  /** Returns whether a run of it ended without a word: its effect may have happened. */
  boolean isSuspect() {
    return sinceLapsed.isPresent();
  }

  private static JobPayload payload(ResultSet row) throws SQLException {
    Limits.range("bytes of the payload", row.getInt("payload_bytes"), 0, MAX_STORED_BYTES);
    return new JobPayload(row.getBytes("payload"), row.getString("sealed_by"));
  }

  private static OptionalLong batch(ResultSet row) throws SQLException {
    long batch = row.getLong("batch");
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(batch);
  }

  private static Optional<Duration> sinceLapsed(ResultSet row) throws SQLException {
    long micros = row.getLong("since_lapsed_micros");
    return row.wasNull() ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
  }
}
