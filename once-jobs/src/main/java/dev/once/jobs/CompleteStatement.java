package dev.once.jobs;

import dev.once.jdbc.spi.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finishes jobs whose newest claim is the one given, and lets the next of their aggregates go. */
final class CompleteStatement {
  /**
   * All that comes after this is a commit. If it does not come because the process is paused, or
   * cut off without a word to the server, the server gives up after that time. Otherwise it would
   * keep the rows locked until it notices by itself, for hours, and nobody could rescue the jobs.
   */
  private static final Duration MAX_SILENCE = Duration.ofSeconds(10);

  // What is not needed costs: a list of one takes twice as long as the one, and looking for
  // followers
  // half as long again.
  private static final String ONE = "(SELECT ?::bigint, ?::bigint)";
  private static final String MANY = "unnest(?, ?)";
  private static final String NO_FOLLOWERS = "followers AS (SELECT 1 WHERE false)";

  private static final String ONE_ALONE = sql(ONE, NO_FOLLOWERS);
  private static final String ONE_ORDERED = sql(ONE, BlockedJobs.SQL);
  private static final String MANY_ALONE = sql(MANY, NO_FOLLOWERS);
  private static final String MANY_ORDERED = sql(MANY, BlockedJobs.SQL);

  private CompleteStatement() {}

  /**
   * What a completion did.
   *
   * @param ids the jobs that are finished now; the others belong to somebody else
   * @param hasFollower whether a job that stood behind one of them may go now
   */
  record Finished(Set<Long> ids, boolean hasFollower) {}

  static Finished execute(Connection connection, List<ClaimedJob> jobs, Duration kept)
      throws SQLException {
    boolean isOne = jobs.size() == 1;
    boolean isOrdered = jobs.stream().anyMatch(ClaimedJob::isOrdered);
    String sql =
        isOne ? (isOrdered ? ONE_ORDERED : ONE_ALONE) : (isOrdered ? MANY_ORDERED : MANY_ALONE);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Parameters parameters = new Parameters(statement);
      if (isOne) {
        parameters.number(jobs.get(0).id()).number(jobs.get(0).fence());
      } else {
        parameters.array("int8", jobs, ClaimedJob::id).array("int8", jobs, ClaimedJob::fence);
      }
      parameters.duration(kept);
      Set<Long> ids = new HashSet<>();
      boolean hasFollower = false;
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getLong("id"));
          hasFollower |= rows.getBoolean("has_follower");
        }
      }
      return new Finished(ids, hasFollower);
    }
  }

  private static String sql(String claims, String blockedJobs) {
    return """
        WITH gone AS (
          DELETE FROM once_job j
          USING %s AS c (id, fence)
          WHERE %s
          RETURNING j.id, j.tenant, j.queue, j.key, j.fingerprint, j.attempt, j.aggregate,
                    j.correlation),
        turn AS MATERIALIZED (
          SELECT once_job_part(? * interval '1 microsecond') AS part),
        kept AS (
          INSERT INTO once_job_done (
            part, tenant, queue, key, fingerprint, job, attempt, discarded, correlation,
            finished_at)
          SELECT t.part, g.tenant, g.queue, g.key, g.fingerprint, g.id, g.attempt, false,
                 g.correlation, clock_timestamp()
          FROM gone g CROSS JOIN turn t),
        silence AS MATERIALIZED (
          SELECT set_config('idle_in_transaction_session_timeout', '%d', true) AS most),
        %s
        SELECT g.id, EXISTS (SELECT 1 FROM followers) AS has_follower, s.most
        FROM gone g CROSS JOIN silence s
        """
        .formatted(claims, GrantCondition.SQL, MAX_SILENCE.toMillis(), blockedJobs);
  }
}
