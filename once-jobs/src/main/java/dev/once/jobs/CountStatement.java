package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Counts attempts in advance, before their handlers begin. */
final class CountStatement {
  private static final String SQL =
      """
      UPDATE once_job j SET attempt = c.attempt, counted = true
      FROM unnest(?, ?, ?) AS c (id, fence, attempt)
      WHERE %s
      RETURNING j.id
      """
          .formatted(GrantCondition.SQL);

  private CountStatement() {}

  /** Returns the ids of the jobs whose newest claim was the given one. */
  static Set<Long> execute(Connection connection, List<JobLease> leases) throws SQLException {
    List<ClaimedJob> jobs = leases.stream().map(JobLease::job).toList();
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("int8", jobs, ClaimedJob::id)
          .array("int8", jobs, ClaimedJob::fence)
          .array("int4", jobs, ClaimedJob::attempt);
      return Ids.read(statement);
    }
  }
}
