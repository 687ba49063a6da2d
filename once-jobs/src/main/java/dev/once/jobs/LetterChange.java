package dev.once.jobs;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * The result of an operator's change of jobs.
 *
 * @param ids the jobs that were changed; the others belong to another tenant, or were in another
 *     state
 * @param queues the queues that have new jobs
 * @param batches the batches of the jobs that were removed
 */
record LetterChange(Set<Long> ids, Set<String> queues, Set<Long> batches) {
  /** The states of dead letters, and of jobs that are not finished. */
  static final String DEAD = "j.state || '' = 'dead'";

  static final String UNFINISHED = "j.state || '' <> 'dead'";

  /**
   * The part of a statement that locks the jobs to change. A concurrent change waits for the first
   * one, and then finds that they are in another state.
   */
  static String picked(String states) {
    return """
        picked AS MATERIALIZED (
          SELECT j.id, j.fence, j.attempt FROM once_job j
          WHERE j.tenant = ? AND j.id = ANY (?) AND %s
          ORDER BY j.id
          FOR UPDATE)
        """
        .formatted(states);
  }

  /** The part that records the actor, for each of {@code gone}. */
  static final String AUDITED =
      """
      audited AS (
        INSERT INTO once_job_audit (
          tenant, actor, action, job, queue, key, fingerprint, attempt, correlation)
        SELECT g.tenant, ?, '%s', g.id, g.queue, g.key, g.fingerprint, g.attempt, g.correlation
        FROM gone g)
      """;

  /** Reads rows of id, queue, whether the queue has new jobs, and the batch of a removed job. */
  static LetterChange read(PreparedStatement statement) throws SQLException {
    Set<Long> ids = new HashSet<>();
    Set<String> queues = new HashSet<>();
    Set<Long> batches = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong("id"));
        if (rows.getBoolean("has_work")) {
          queues.add(rows.getString("queue"));
        }
        long batch = rows.getLong("batch");
        if (!rows.wasNull()) {
          batches.add(batch);
        }
      }
    }
    return new LetterChange(ids, queues, batches);
  }
}
