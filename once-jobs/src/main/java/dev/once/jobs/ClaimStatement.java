package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Claims up to {@code count} ready jobs of a queue, round-robin over the tenants. */
record ClaimStatement(Queue queue, Set<String> types) {
  private static final String SQL =
      """
      SELECT id, fence, attempt, tenant, queue, type, key, fingerprint, priority,
             aggregate IS NOT NULL AS is_ordered, enqueued_at,
             (extract(epoch FROM clock_timestamp() - greatest(run_at, enqueued_at)) * 1000000)::bigint
               AS age_micros,
             correlation, payload, sealed_by,
             (extract(epoch FROM clock_timestamp() - enqueued_at) * 1000000)::bigint
               AS since_enqueued_micros
      FROM once_job_claim(?, ?, ?, ?, ?, ? * interval '1 microsecond', ?, ?)
      """;

  /** The server returns the rows in no particular order. */
  private static final Comparator<ClaimedJob> ORDER =
      Comparator.comparingInt(ClaimedJob::priority).reversed().thenComparingLong(ClaimedJob::id);

  /**
   * Starts with the tenant that follows {@code after}, and skips jobs whose id is below {@code
   * from}.
   */
  List<ClaimedJob> execute(Connection connection, String after, long from, int count)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(queue.name())
          .array("text", List.copyOf(types), type -> type)
          .text(after)
          .number(from)
          .number(count)
          .duration(queue.lease());
      limit(statement, 7, queue.concurrency());
      limit(statement, 8, queue.tenantConcurrency());
      return read(statement);
    }
  }

  private static void limit(PreparedStatement statement, int index, OptionalInt limit)
      throws SQLException {
    if (limit.isPresent()) {
      statement.setInt(index, limit.getAsInt());
    } else {
      statement.setNull(index, Types.INTEGER);
    }
  }

  private static List<ClaimedJob> read(PreparedStatement statement) throws SQLException {
    List<ClaimedJob> jobs = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        jobs.add(ClaimedJob.read(rows));
      }
    }
    jobs.sort(ORDER);
    return jobs;
  }
}
