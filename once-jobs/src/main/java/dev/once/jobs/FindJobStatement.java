package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds the job that has a key or an id. One statement reads both tables: a job that moves is in
 * one of them.
 */
final class FindJobStatement {
  private static final String SQL =
      """
      SELECT j.id, j.state, j.attempt, j.run_at, j.enqueued_at, %s,
             NULL::timestamptz AS finished_at, false AS discarded
      FROM once_job j
      WHERE j.tenant = ? AND j.queue = ? AND j.key = ?
      UNION ALL
      SELECT d.job, 'done', d.attempt, NULL, NULL, NULL, NULL, NULL, d.finished_at, d.discarded
      FROM once_job_done d
      WHERE d.tenant = ? AND d.queue = ? AND d.key = ?
      LIMIT 1
      """
          .formatted(StoredFailure.COLUMNS);

  private static final String BY_ID =
      """
      SELECT j.id, j.tenant, j.queue, j.type, j.key, j.state, j.attempt, j.run_at, j.enqueued_at, %s,
             NULL::timestamptz AS finished_at, false AS discarded
      FROM once_job j
      WHERE j.tenant = ? AND j.id = ?
      """
          .formatted(StoredFailure.COLUMNS);

  private FindJobStatement() {}

  /** Finds a job that is not finished. */
  static Optional<JobView> execute(
      Connection connection, String tenant, long id, PayloadProtection protection)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BY_ID)) {
      new Parameters(statement).text(tenant).number(id);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        JobKey key =
            JobKey.of(tenant, row.getString("queue"), row.getString("type"), row.getString("key"));
        return Optional.of(read(row, key, protection));
      }
    }
  }

  static Optional<JobView> execute(Connection connection, JobKey key, PayloadProtection protection)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(key.tenant())
          .text(key.queue())
          .text(key.value())
          .text(key.tenant())
          .text(key.queue())
          .text(key.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row, key, protection)) : Optional.empty();
      }
    }
  }

  static JobView read(ResultSet row, JobKey key, PayloadProtection protection) throws SQLException {
    return new JobView(
        row.getLong("id"),
        key,
        JobState.of(row.getString("state")),
        row.getInt("attempt"),
        time(row, "run_at"),
        time(row, "enqueued_at"),
        StoredFailure.read(row).open(key, protection).map(AttemptFailure::reason),
        time(row, "finished_at"),
        row.getBoolean("discarded"));
  }

  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
  }
}
