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

  private ListJobsStatement() {}

  static JobPage execute(Connection connection, JobQuery query, PayloadProtection protection)
      throws SQLException {
    boolean isFiltered = query.type().isPresent() || query.state().isPresent();
    int rowsToRead = isFiltered ? MAX_ROWS : query.limit();
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setFetchSize(JobQuery.MAX_LIMIT);
      new Parameters(statement)
          .text(query.tenant())
          .text(query.after().map(JobKey::queue).orElse(""))
          .text(query.after().map(JobKey::value).orElse(""))
          .text(query.queue().orElse(""))
          .text(query.queue().orElse(LAST))
          .number(rowsToRead);
      try (ResultSet rows = statement.executeQuery()) {
        return read(rows, query, protection, rowsToRead);
      }
    }
  }

  private static JobPage read(
      ResultSet rows, JobQuery query, PayloadProtection protection, int rowsToRead)
      throws SQLException {
    List<JobView> jobs = new ArrayList<>();
    Optional<JobKey> last = Optional.empty();
    int read = 0;
    while (jobs.size() < query.limit() && rows.next()) {
      read++;
      JobKey key =
          JobKey.of(
              rows.getString("tenant"),
              rows.getString("queue"),
              rows.getString("type"),
              rows.getString("key"));
      last = Optional.of(key);
      if (matches(query, key, rows.getString("state"))) {
        jobs.add(FindJobStatement.read(rows, key, protection));
      }
    }
    boolean hasMore = jobs.size() == query.limit() || read == rowsToRead;
    return new JobPage(jobs, hasMore ? last : Optional.empty());
  }

  private static boolean matches(JobQuery query, JobKey key, String state) {
    return query.type().map(key.type()::equals).orElse(true)
        && query.state().map(it -> it == JobState.of(state)).orElse(true);
  }
}
