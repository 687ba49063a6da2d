package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes jobs that are not finished members of a batch, which the transaction has locked: jobs that
 * it has enqueued, and jobs that exist already and belong to no batch, even if they are running.
 */
final class AddMembersStatement {
  private static final String SQL =
      """
      WITH batch AS (SELECT ?::bigint AS id),
      picked AS MATERIALIZED (
        SELECT j.id, j.batch FROM once_job j WHERE j.id = ANY (?) ORDER BY j.id FOR UPDATE),
      added AS (
        UPDATE once_job j SET batch = b.id
        FROM picked p CROSS JOIN batch b
        WHERE j.id = p.id AND p.batch IS NULL
        RETURNING j.id),
      counted AS (
        INSERT INTO once_job_batch_count AS c (batch, counter, members)
        SELECT b.id, pg_backend_pid() % 64, a.members
        FROM batch b CROSS JOIN (SELECT count(*) FROM added) AS a (members)
        WHERE a.members > 0
        ON CONFLICT (batch, counter) DO UPDATE SET members = c.members + excluded.members)
      SELECT p.id FROM picked p CROSS JOIN batch b WHERE p.batch <> b.id ORDER BY p.id
      """;

  private AddMembersStatement() {}

  /** Returns those of the jobs that are members of another batch, and stay there. */
  static List<Long> execute(Connection connection, long batch, List<Long> jobs)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).number(batch).array("int8", jobs, id -> id);
      List<Long> elsewhere = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          elsewhere.add(rows.getLong("id"));
        }
      }
      return elsewhere;
    }
  }
}
