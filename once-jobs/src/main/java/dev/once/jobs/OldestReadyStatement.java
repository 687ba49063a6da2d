package dev.once.jobs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds how long each queue's oldest ready job has been due. No index orders jobs by age, so this
 * reads some in the order of the index, and the first of every tenant and type, up to a limit: the
 * jobs that are held up are among those.
 */
final class OldestReadyStatement {
  private static final int MAX_HEADS = 1000;

  /** Skips from one queue that has ready jobs to the next; ends with null. */
  static final String QUEUES =
      """
      WITH RECURSIVE queues (queue) AS (
        (SELECT j.queue FROM once_job j WHERE j.state = 'ready' ORDER BY j.queue LIMIT 1)
        UNION ALL
        SELECT (SELECT j.queue FROM once_job j
                WHERE j.state = 'ready' AND j.queue > q.queue ORDER BY j.queue LIMIT 1)
        FROM queues q WHERE q.queue IS NOT NULL)
      """;

  static final String SQL =
      QUEUES
          + """
      SELECT q.queue, greatest(0, extract(
        epoch FROM clock_timestamp() - least(f.since, h.since)) * 1000000)::bigint AS micros
      FROM queues q
      CROSS JOIN LATERAL (
        SELECT min(greatest(j.run_at, j.enqueued_at)) AS since FROM (
          SELECT j.run_at, j.enqueued_at FROM once_job j
          WHERE j.state = 'ready' AND j.queue = q.queue
          ORDER BY j.tenant, j.type, j.priority DESC, j.id LIMIT %d) j) f
      CROSS JOIN LATERAL (
        WITH RECURSIVE heads (tenant, type, since, place) AS (
          (SELECT j.tenant, j.type, greatest(j.run_at, j.enqueued_at), 1 FROM once_job j
           WHERE j.state = 'ready' AND j.queue = q.queue
           ORDER BY j.tenant, j.type, j.priority DESC, j.id LIMIT 1)
          UNION ALL
          SELECT n.tenant, n.type, n.since, h.place + 1 FROM heads h CROSS JOIN LATERAL (
            SELECT j.tenant, j.type, greatest(j.run_at, j.enqueued_at) AS since FROM once_job j
            WHERE j.state = 'ready' AND j.queue = q.queue
              AND (j.tenant, j.type) > (h.tenant, h.type)
            ORDER BY j.tenant, j.type, j.priority DESC, j.id LIMIT 1) n
          WHERE h.place < %d)
        SELECT min(h.since) AS since FROM heads h) h
      WHERE q.queue IS NOT NULL
      """
              .formatted(JobCensus.MAX_AGES, MAX_HEADS);

  private OldestReadyStatement() {}

  static Map<String, Duration> execute(Connection connection) throws SQLException {
    Map<String, Duration> oldest = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(SQL);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        oldest.put(rows.getString("queue"), Duration.of(rows.getLong("micros"), ChronoUnit.MICROS));
      }
    }
    return oldest;
  }
}
