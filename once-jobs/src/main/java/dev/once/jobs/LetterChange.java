package dev.once.jobs;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * The result of an operator's change of dead letters.
 *
 * @param ids the letters that were changed; the others belong to another tenant, or are no longer
 *     dead
 * @param queues the queues that have new jobs
 */
record LetterChange(Set<Long> ids, Set<String> queues) {
  /**
   * The part of a statement that locks the dead letters to change. A concurrent change waits for
   * the first one, and then finds that they are no longer dead.
   */
  static final String PICKED =
      """
      picked AS MATERIALIZED (
        SELECT j.id, j.fence, j.attempt FROM once_job j
        WHERE j.tenant = ? AND j.id = ANY (?) AND j.state = 'dead'
        ORDER BY j.id
        FOR UPDATE)
      """;

  /** The part that records the actor, for each of {@code gone}. */
  static final String AUDITED =
      """
      audited AS (
        INSERT INTO once_job_audit (
          tenant, actor, action, job, queue, key, fingerprint, attempt, correlation)
        SELECT g.tenant, ?, '%s', g.id, g.queue, g.key, g.fingerprint, g.attempt, g.correlation
        FROM gone g)
      """;

  /** Reads rows of id, queue and whether the queue has new jobs. */
  static LetterChange read(PreparedStatement statement) throws SQLException {
    Set<Long> ids = new HashSet<>();
    Set<String> queues = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong("id"));
        if (rows.getBoolean("has_work")) {
          queues.add(rows.getString("queue"));
        }
      }
    }
    return new LetterChange(ids, queues);
  }
}
