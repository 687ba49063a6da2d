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

  private static final String SQL =
      """
      WITH gone AS (
        DELETE FROM once_job j
        USING unnest(?, ?) AS d (id, fence)
        WHERE j.id = d.id AND j.fence = d.fence AND j.state = 'running'
        RETURNING j.id, j.tenant, j.queue, j.key, j.fingerprint, j.attempt, j.aggregate),
      kept AS (
        INSERT INTO once_job_done (
          part, tenant, queue, key, fingerprint, job, attempt, discarded, finished_at)
        SELECT p.part, g.tenant, g.queue, g.key, g.fingerprint, g.id, g.attempt, false,
               clock_timestamp()
        FROM gone g
        CROSS JOIN (SELECT once_job_part(? * interval '1 microsecond')) AS p (part)),
      %s
      SELECT g.id, EXISTS (SELECT 1 FROM followers) AS has_follower, l.max_silence
      FROM gone g
      CROSS JOIN (
        SELECT set_config('idle_in_transaction_session_timeout', '%d', true)) AS l (max_silence)
      """
          .formatted(Followers.SQL, MAX_SILENCE.toMillis());

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
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("int8", jobs, ClaimedJob::id)
          .array("int8", jobs, ClaimedJob::fence)
          .duration(kept);
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
}
