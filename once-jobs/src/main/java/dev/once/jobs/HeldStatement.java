package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Finds which jobs exist and are held by the given grants. */
final class HeldStatement {
  private static final String SQL =
      """
      SELECT j.id FROM once_job j JOIN unnest(?, ?) AS c (id, fence) ON %s
      """
          .formatted(GrantCondition.SQL);

  private HeldStatement() {}

  static Set<Long> execute(Connection connection, List<JobLease> leases) throws SQLException {
    List<ClaimedJob> jobs = leases.stream().map(JobLease::job).toList();
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("int8", jobs, ClaimedJob::id)
          .array("int8", jobs, ClaimedJob::fence);
      return Ids.read(statement);
    }
  }
}
