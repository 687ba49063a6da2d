package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a page of the jobs of a tenant, queue after queue, and returns those whose resource is an
 * id or has it between separators, and those that have it as a correlation id. The order within a
 * queue is that of the index of keys; the id of the job comes after the key, because a key may have
 * been finished twice.
 *
 * <p>Each statement names its queue. If it compared queue and key together, PostgreSQL would take
 * the queue for the whole condition in its estimates, and read all rows of a large queue.
 */
final class RelatedJobsStatement {
  static final int MAX_ROWS = 10_000;

  /** Modules put these between the parts of a resource. */
  private static final String SEPARATORS = "/:@";

  private static final String NEXT_QUEUE =
      """
      SELECT queue FROM %s WHERE tenant = ? AND queue > ? ORDER BY tenant, queue LIMIT 1
      """;

  private static final String SQL =
      """
      WITH page AS MATERIALIZED (
        SELECT * FROM (%s) AS jobs
        WHERE tenant = ? AND queue = ? AND key >= ? AND (key, id) > (?, ?)
        ORDER BY key, id LIMIT ?
      ), found AS (
        SELECT *, false AS is_end, 0 AS count FROM page
        WHERE position(? IN key) > 0 OR position(? IN correlation) > 0
        ORDER BY key, id LIMIT ?
      ), place AS (
        SELECT *, true, (SELECT count(*) FROM page) FROM page ORDER BY key DESC, id DESC LIMIT 1
      )
      SELECT * FROM found UNION ALL SELECT * FROM place
      ORDER BY is_end, key, id
      """;

  private static final Table UNFINISHED =
      new Table(
          NEXT_QUEUE.formatted("once_job"),
          SQL.formatted(
              """
              SELECT tenant, queue, key, id, type, state, attempt, run_at, enqueued_at,
                     NULL::timestamptz AS finished_at, false AS discarded, correlation,
                     NULL AS reason, NULL AS stack, NULL::bytea AS failure
              FROM once_job
              """));

  private static final Table FINISHED =
      new Table(
          NEXT_QUEUE.formatted("once_job_done"),
          SQL.formatted(
              """
              SELECT tenant, queue, key, job AS id, split_part(key, ':', 1) AS type,
                     'done' AS state, attempt, NULL::timestamptz AS run_at,
                     NULL::timestamptz AS enqueued_at, finished_at, discarded, correlation,
                     NULL AS reason, NULL AS stack, NULL::bytea AS failure
              FROM once_job_done
              """));

  private final Connection connection;
  private final RelatedQuery query;
  private final Table table;
  private final int maxRows;
  private final PayloadProtection protection;
  private final PageRows page;
  private final List<JobView> jobs = new ArrayList<>();
  private int searched;
  private RelatedPlace place;
  private boolean hasMore;

  /** The statements for one of the two tables. */
  private record Table(String nextQueue, String page) {}

  private RelatedJobsStatement(
      Connection connection,
      RelatedQuery query,
      int maxRows,
      PayloadProtection protection,
      JobListener listener) {
    this.connection = connection;
    this.query = query;
    this.table = query.isFinished() ? FINISHED : UNFINISHED;
    this.maxRows = maxRows;
    this.protection = protection;
    this.page = new PageRows(listener, "job");
    this.place = query.after().map(RelatedPlace::of).orElse(RelatedPlace.START);
  }

  static RelatedJobs execute(
      Connection connection,
      RelatedQuery query,
      int maxRows,
      PayloadProtection protection,
      JobListener listener)
      throws SQLException {
    return new RelatedJobsStatement(connection, query, maxRows, protection, listener).execute();
  }

  private RelatedJobs execute() throws SQLException {
    hasMore = place.isInAQueue() || toNextQueue();
    while (hasMore && searched < maxRows && jobs.size() < JobQuery.MAX_LIMIT) {
      boolean isFull = readQueue();
      hasMore = isFull || toNextQueue();
    }
    return new RelatedJobs(jobs, searched, hasMore ? Optional.of(place.text()) : Optional.empty());
  }

  private boolean toNextQueue() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(table.nextQueue)) {
      new Parameters(statement).text(query.tenant()).text(place.queue());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return false;
        }
        place = RelatedPlace.before(row.getString("queue"));
        return true;
      }
    }
  }

  /** Reads on in the queue; returns whether it may have more jobs. */
  private boolean readQueue() throws SQLException {
    int rowsToRead = maxRows - searched;
    int limit = JobQuery.MAX_LIMIT - jobs.size();
    int found = 0;
    int read = 0;
    try (PreparedStatement statement = connection.prepareStatement(table.page)) {
      new Parameters(statement)
          .text(query.tenant())
          .text(place.queue())
          .text(place.key())
          .text(place.key())
          .number(place.id())
          .number(rowsToRead)
          .text(query.id())
          .text(asCorrelation())
          .number(limit);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          boolean isEnd = row.getBoolean("is_end");
          if (isEnd) {
            read = row.getInt("count");
          } else {
            page.current(row, this::view).flatMap(it -> it).ifPresent(jobs::add);
            found++;
          }
          if (!isEnd || found < limit) {
            place = new RelatedPlace(place.queue(), row.getLong("id"), row.getString("key"));
          }
        }
      }
    }
    searched += read;
    return found == limit || read == rowsToRead;
  }

  private String asCorrelation() {
    return ": " + query.id() + "\n";
  }

  private Optional<JobView> view(ResultSet row) throws SQLException {
    JobKey key =
        JobKey.of(query.tenant(), place.queue(), row.getString("type"), row.getString("key"));
    boolean matches =
        hasPart(key.resource(), query.id())
            || row.getString("correlation").contains(asCorrelation());
    return matches ? Optional.of(FindJobStatement.read(row, key, protection)) : Optional.empty();
  }

  /** Returns whether a text is {@code part}, or has it between separators. */
  static boolean hasPart(String text, String part) {
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      int end = at + part.length();
      boolean begins = at == 0 || SEPARATORS.indexOf(text.charAt(at - 1)) >= 0;
      if (begins && (end == text.length() || SEPARATORS.indexOf(text.charAt(end)) >= 0)) {
        return true;
      }
    }
    return false;
  }
}
