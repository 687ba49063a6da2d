package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Completes jobs whose newest claim is the given one, and unblocks the next of their aggregates.
 */
final class CompleteStatement {
  /**
   * Only a commit follows this statement. If it does not arrive because the process is paused, or
   * disconnected without notice, the server ends the transaction after this time. Otherwise the
   * server would keep the rows locked until it detects the dead connection, possibly for hours, and
   * no other process could rescue the jobs.
   */
  private static final Duration MAX_IDLE = Duration.ofSeconds(10);

  // The general statement is slower: an array of one element takes twice as long as a single row,
  // and the search for blocked jobs half as long again.
  private static final String ONE = "(SELECT ?::bigint, ?::bigint)";
  private static final String MANY = "unnest(?, ?)";
  private static final String NO_UNBLOCKING = "followers AS (SELECT 1 WHERE false)";

  private static final String ONE_UNORDERED = sql(ONE, NO_UNBLOCKING);
  private static final String ONE_ORDERED = sql(ONE, BlockedJobs.SQL);
  private static final String MANY_UNORDERED = sql(MANY, NO_UNBLOCKING);
  private static final String MANY_ORDERED = sql(MANY, BlockedJobs.SQL);

  private CompleteStatement() {}

  /**
   * The result of a completion.
   *
   * @param ids the jobs that are completed now; the leases of the others are lost
   * @param hasUnblocked whether a job that was blocked by one of them is unblocked now
   */
  record CompleteResult(Set<Long> ids, boolean hasUnblocked) {}

  static CompleteResult execute(Connection connection, List<ClaimedJob> jobs, Duration retention)
      throws SQLException {
    boolean isOne = jobs.size() == 1;
    boolean isOrdered = jobs.stream().anyMatch(ClaimedJob::isOrdered);
    String sql =
        isOne
            ? (isOrdered ? ONE_ORDERED : ONE_UNORDERED)
            : (isOrdered ? MANY_ORDERED : MANY_UNORDERED);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Parameters parameters = new Parameters(statement);
      if (isOne) {
        parameters.number(jobs.get(0).id()).number(jobs.get(0).fence());
      } else {
        parameters.array("int8", jobs, ClaimedJob::id).array("int8", jobs, ClaimedJob::fence);
      }
      parameters.duration(retention);
      Set<Long> ids = new HashSet<>();
      boolean hasUnblocked = false;
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getLong("id"));
          hasUnblocked |= rows.getBoolean("has_follower");
        }
      }
      return new CompleteResult(ids, hasUnblocked);
    }
  }

  private static String sql(String claims, String blockedJobs) {
    return """
        WITH gone AS (
          DELETE FROM once_job j
          USING %s AS c (id, fence)
          WHERE %s
          RETURNING j.id, j.tenant, j.queue, j.key, j.fingerprint, j.aggregate, j.correlation,
                    j.attempt + CASE WHEN j.counted THEN 0 ELSE 1 END AS attempt),
        turn AS MATERIALIZED (
          SELECT once_job_part(r.kept) AS part, clock_timestamp() + r.kept AS keep_until
          FROM (SELECT ? * interval '1 microsecond') AS r (kept)),
        kept AS (
          INSERT INTO once_job_done (
            part, tenant, queue, key, fingerprint, job, attempt, discarded, correlation,
            finished_at, keep_until)
          SELECT t.part, g.tenant, g.queue, g.key, g.fingerprint, g.id, g.attempt, false,
                 g.correlation, clock_timestamp(), t.keep_until
          FROM gone g CROSS JOIN turn t),
        silence AS MATERIALIZED (
          SELECT set_config('idle_in_transaction_session_timeout', '%d', true) AS most),
        %s
        SELECT g.id, EXISTS (SELECT 1 FROM followers) AS has_follower, s.most
        FROM gone g CROSS JOIN silence s
        """
        .formatted(claims, GrantCondition.SQL, MAX_IDLE.toMillis(), blockedJobs);
  }
}
