package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * Unblocks jobs that are blocked although they are the first of their aggregate: the job before
 * them was finished while they were being enqueued. Each call reads a limited number of aggregates
 * that have a blocked job, in the order of the index. The joins of batches, which have no
 * aggregate, are blocked for another reason.
 */
final class UnblockStatement {
  /** The number of aggregates that one call reads. */
  private static final int AGGREGATES = 1000;

  private static final String SQL =
      """
      WITH RECURSIVE heads (tenant, queue, aggregate, id, fence, place) AS (
        (SELECT j.tenant, j.queue, j.aggregate, j.id, j.fence, 1
         FROM once_job j
         WHERE j.state = 'blocked' AND j.aggregate IS NOT NULL
           AND (j.tenant, j.queue, j.aggregate) > (?, ?, ?)
         ORDER BY j.tenant, j.queue, j.aggregate, j.id LIMIT 1)
        UNION ALL
        SELECT n.tenant, n.queue, n.aggregate, n.id, n.fence, h.place + 1
        FROM heads h CROSS JOIN LATERAL (
          SELECT j.tenant, j.queue, j.aggregate, j.id, j.fence
          FROM once_job j
          WHERE j.state = 'blocked' AND j.aggregate IS NOT NULL
            AND (j.tenant, j.queue, j.aggregate) > (h.tenant, h.queue, h.aggregate)
          ORDER BY j.tenant, j.queue, j.aggregate, j.id LIMIT 1) n
        WHERE h.place < ?),
      freed AS (
        UPDATE once_job j SET state = %s
        FROM heads h
        WHERE j.id = h.id AND j.fence = h.fence AND %s
          AND NOT EXISTS (
            SELECT 1 FROM once_job b
            WHERE b.tenant = h.tenant AND b.queue = h.queue AND b.aggregate = h.aggregate
              AND b.id < h.id)
        RETURNING j.id)
      SELECT h.tenant, h.queue, h.aggregate, f.id IS NOT NULL AS is_freed
      FROM heads h LEFT JOIN freed f USING (id)
      ORDER BY h.place
      """
          .formatted(BlockedJobs.STATE, BlockedJobs.BLOCKED);

  private UnblockStatement() {}

  /** An aggregate, as a position in the index. */
  record Position(String tenant, String queue, String aggregate) {
    static final Position FIRST = new Position("", "", "");
  }

  /**
   * The result of a call.
   *
   * @param queues the queues that have new jobs
   * @param next the position after which the next call continues
   */
  record UnblockResult(Set<String> queues, Position next) {}

  static UnblockResult execute(Connection connection, Position after) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(after.tenant())
          .text(after.queue())
          .text(after.aggregate())
          .number(AGGREGATES);
      return read(statement);
    }
  }

  private static UnblockResult read(PreparedStatement statement) throws SQLException {
    Set<String> queues = new HashSet<>();
    Position last = Position.FIRST;
    int count = 0;
    try (ResultSet rows = statement.executeQuery()) {
      for (; rows.next(); count++) {
        last =
            new Position(
                rows.getString("tenant"), rows.getString("queue"), rows.getString("aggregate"));
        if (rows.getBoolean("is_freed")) {
          queues.add(last.queue());
        }
      }
    }
    return new UnblockResult(queues, count < AGGREGATES ? Position.FIRST : last);
  }
}
