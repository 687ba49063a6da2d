package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Claims ready jobs of a queue, round-robin over the tenants. */
record ClaimStatement(Queue queue, Set<String> types) {
  private static final String SQL =
      """
      SELECT id, fence, attempt, tenant, queue, type, key, fingerprint, priority,
             aggregate IS NOT NULL AS is_ordered, enqueued_at,
             (extract(epoch FROM clock_timestamp() - greatest(run_at, enqueued_at)) * 1000000)::bigint
               AS age_micros,
             correlation, %s AS payload, octet_length(payload) AS payload_bytes, sealed_by, batch,
             (extract(epoch FROM clock_timestamp() - enqueued_at) * 1000000)::bigint
               AS since_enqueued_micros,
             (extract(epoch FROM clock_timestamp() - began_at) * 1000000)::bigint
               AS since_began_micros,
             (extract(epoch FROM clock_timestamp() - lapsed_at) * 1000000)::bigint
               AS since_lapsed_micros
      FROM once_job_claim(?, ?, ?, ?, ?, ?, ? * interval '1 microsecond', ?, ?, ?,
        ? * interval '1 microsecond')
      """
          .formatted(
              "CASE WHEN octet_length(payload) <= %d THEN payload END"
                  .formatted(ClaimedJob.MAX_STORED_BYTES));

  /** The server returns the rows in no particular order. */
  private static final Comparator<ClaimedJob> ORDER =
      Comparator.comparingInt(ClaimedJob::priority).reversed().thenComparingLong(ClaimedJob::id);

  /**
   * What was claimed.
   *
   * @param unreadable those whose rows cannot be read
   */
  record Claim(List<ClaimedJob> jobs, List<UnreadableJob> unreadable) {}

  /**
   * Starts with the tenant that follows {@code after}, skips jobs whose id is below {@code from},
   * and ends with the job whose payload reaches {@code bytes}.
   */
  Claim execute(Connection connection, String after, long from, int count, long bytes)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(queue.name())
          .array("text", List.copyOf(types), type -> type)
          .text(after)
          .number(from)
          .number(count)
          .number(bytes)
          .duration(queue.lease())
          .number(queue.concurrency())
          .number(queue.tenantConcurrency())
          .number(queue.rate().map(it -> OptionalInt.of(it.jobs())).orElse(OptionalInt.empty()))
          .number(
              queue
                  .rate()
                  .map(it -> OptionalLong.of(Parameters.micros(it.time())))
                  .orElse(OptionalLong.empty()));
      return read(statement);
    }
  }

  private static Claim read(PreparedStatement statement) throws SQLException {
    List<ClaimedJob> jobs = new ArrayList<>();
    List<UnreadableJob> unreadable = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        try {
          jobs.add(ClaimedJob.read(rows));
        } catch (SQLException | RuntimeException e) {
          unreadable.add(new UnreadableJob(rows.getLong("id"), rows.getLong("fence"), e));
        }
      }
    }
    jobs.sort(ORDER);
    return new Claim(jobs, unreadable);
  }
}
