package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.SQLException;

/**
 * The part of a statement that finds a page of dead letters, as {@code j}. The index is ordered by
 * tenant, queue and id: this skips from queue to queue and reads at most one page from each, so
 * that the cost does not depend on the number of letters.
 */
final class LetterPage {
  /** Put the selected columns between this and {@link #from}. */
  static final String WITH =
      """
      WITH RECURSIVE queues (queue) AS (
        (SELECT j.queue FROM once_job j
         WHERE j.state = 'dead' AND j.tenant = ? AND j.queue >= ? AND j.queue <= ?
         ORDER BY j.queue LIMIT 1)
        UNION ALL
        SELECT (SELECT j.queue FROM once_job j
                WHERE j.state = 'dead' AND j.tenant = ? AND j.queue > q.queue AND j.queue <= ?
                ORDER BY j.queue LIMIT 1)
        FROM queues q WHERE q.queue IS NOT NULL)
      """;

  /** Of all letters that match {@code condition} on a job {@code j}. */
  static String from(String condition) {
    return """
        FROM queues q CROSS JOIN LATERAL (
          SELECT * FROM once_job j
          WHERE j.state = 'dead' AND j.tenant = ? AND j.queue = q.queue AND j.id > ? AND %s
          ORDER BY j.id LIMIT ?) j
        ORDER BY j.id LIMIT ?
        """
        .formatted(condition);
  }

  /** Sorts after every queue name, byte by byte. */
  private static final String LAST_QUEUE = "~";

  private LetterPage() {}

  static void bind(Parameters parameters, LetterQuery query) throws SQLException {
    String first = query.queue().orElse("");
    String last = query.queue().orElse(LAST_QUEUE);
    parameters
        .text(query.tenant())
        .text(first)
        .text(last)
        .text(query.tenant())
        .text(last)
        .text(query.tenant())
        .number(query.afterId())
        .number(query.limit())
        .number(query.limit());
  }
}
