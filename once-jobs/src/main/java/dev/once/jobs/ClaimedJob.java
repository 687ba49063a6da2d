package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.internal.JobPayload;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

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
    JobPayload payload) {
  static ClaimedJob read(ResultSet row) throws SQLException {
    return new ClaimedJob(
        row.getLong("id"),
        row.getLong("fence"),
        row.getInt("attempt"),
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
        new JobPayload(row.getBytes("payload"), row.getString("sealed_by")));
  }

  /** Returns whether a run of it ended without a word: its effect may have happened. */
  boolean isSuspect() {
    return sinceLapsed.isPresent();
  }

  private static Optional<Duration> sinceLapsed(ResultSet row) throws SQLException {
    long micros = row.getLong("since_lapsed_micros");
    return row.wasNull() ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
  }
}
