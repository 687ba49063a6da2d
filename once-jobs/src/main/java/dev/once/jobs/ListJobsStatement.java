package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a page of jobs in the order of the index of keys. */
final class ListJobsStatement {
  /** How many rows a page reads, for few that match. */
  static final int MAX_ROWS = 10_000;

  /** Sorts after every queue name, byte by byte. */
  private static final String LAST = "~";

  private static final String SQL =
      """
      SELECT j.id, j.tenant, j.queue, j.type, j.key, j.state, j.attempt, j.run_at, j.enqueued_at, %s,
             NULL::timestamptz AS finished_at, false AS discarded
      FROM once_job j
      WHERE j.tenant = ? AND (j.queue, j.key) > (?, ?) AND j.queue >= ? AND j.queue <= ?
      ORDER BY j.tenant, j.queue, j.key LIMIT ?
      """
          .formatted(StoredFailure.COLUMNS);

  private final JobQuery query;
  private final PayloadProtection protection;
  private final PageRows page;
  private final int rowsToRead;

  // The position of the last row, and the last one with a key that a next page can start after.
  private String queue;
  private String key;
  private Optional<JobKey> last = Optional.empty();
  private boolean hasMore;

  private ListJobsStatement(JobQuery query, PayloadProtection protection, JobListener listener) {
    boolean isFiltered = query.type().isPresent() || query.state().isPresent();
    this.query = query;
    this.protection = protection;
    this.page = new PageRows(listener, "job");
    this.rowsToRead = isFiltered ? MAX_ROWS : query.limit();
    this.queue = query.after().map(JobKey::queue).orElse("");
    this.key = query.after().map(JobKey::value).orElse("");
  }

  static JobPage execute(
      Connection connection, JobQuery query, PayloadProtection protection, JobListener listener)
      throws SQLException {
    return new ListJobsStatement(query, protection, listener).execute(connection);
  }

  private JobPage execute(Connection connection) throws SQLException {
    JobPage found = readPage(connection);
    // No next page could start after rows of which none can be read.
    for (int rows = rowsToRead; hasMore && last.isEmpty() && rows < MAX_ROWS; rows += rowsToRead) {
      found = readPage(connection);
    }
    return found;
  }

  private JobPage readPage(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setFetchSize(JobQuery.MAX_LIMIT);
      new Parameters(statement)
          .text(query.tenant())
          .text(queue)
          .text(key)
          .text(query.queue().orElse(""))
          .text(query.queue().orElse(LAST))
          .number(rowsToRead);
      try (ResultSet rows = statement.executeQuery()) {
        return read(rows);
      }
    }
  }

  private JobPage read(ResultSet rows) throws SQLException {
    List<JobView> jobs = new ArrayList<>();
    int read = 0;
    while (jobs.size() < query.limit() && rows.next()) {
      read++;
      queue = rows.getString("queue");
      key = rows.getString("key");
      page.current(rows, this::match).flatMap(it -> it).ifPresent(jobs::add);
    }
    hasMore = jobs.size() == query.limit() || read == rowsToRead;
    return new JobPage(jobs, hasMore ? last : Optional.empty());
  }

  /** Returns the job of a row; empty if it does not match the query. */
  private Optional<JobView> match(ResultSet row) throws SQLException {
    JobKey jobKey = JobKey.of(row.getString("tenant"), queue, row.getString("type"), key);
    last = Optional.of(jobKey);
    JobState state = JobState.of(row.getString("state"));
    boolean matches =
        query.type().map(jobKey.type()::equals).orElse(true)
            && query.state().map(it -> it == state).orElse(true);
    return matches ? Optional.of(FindJobStatement.read(row, jobKey, protection)) : Optional.empty();
  }
}
