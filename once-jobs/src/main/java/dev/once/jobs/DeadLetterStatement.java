package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Makes claimed jobs dead letters. */
final class DeadLetterStatement {
  private static final String SQL =
      """
      UPDATE once_job j SET
        state = 'dead', died_at = clock_timestamp(), lease_until = NULL,
        reason = c.reason, stack = c.stack
      FROM unnest(?, ?, ?, ?) AS c (id, fence, reason, stack)
      WHERE %s
      RETURNING j.id
      """
          .formatted(GrantCondition.SQL);

  private DeadLetterStatement() {}

  /** Returns the ids of the jobs whose newest claim was the given one. */
  static Set<Long> execute(Connection connection, List<Settlement.Dead> settlements)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("int8", settlements, settlement -> settlement.jobLease().job().id())
          .array("int8", settlements, settlement -> settlement.jobLease().job().fence())
          .array("text", settlements, settlement -> settlement.why().reason())
          .array("text", settlements, settlement -> settlement.why().stack().orElse(null));
      return Ids.read(statement);
    }
  }
}
