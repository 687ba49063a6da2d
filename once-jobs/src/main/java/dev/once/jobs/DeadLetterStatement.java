package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Makes claimed jobs dead letters. */
record DeadLetterStatement(PayloadProtection protection) {
  private static final String SQL =
      """
      UPDATE once_job j SET
        state = 'dead', died_at = clock_timestamp(), lease_until = NULL,
        reason = c.reason, stack = c.stack, failure = c.failure
      FROM unnest(?, ?, ?, ?, ?) AS c (id, fence, reason, stack, failure)
      WHERE %s
      RETURNING j.id
      """
          .formatted(GrantCondition.SQL);

  /** Returns the ids of the jobs whose newest claim was the given one. */
  Set<Long> execute(Connection connection, List<Settlement.Dead> settlements) throws SQLException {
    List<StoredFailure> failures =
        settlements.stream()
            .map(it -> protection.seal(it.jobLease().job().key(), it.why()))
            .toList();
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("int8", settlements, settlement -> settlement.jobLease().job().id())
          .array("int8", settlements, settlement -> settlement.jobLease().job().fence())
          .array("text", failures, StoredFailure::reason)
          .array("text", failures, StoredFailure::stack)
          .byteArrays(failures, StoredFailure::sealed);
      return Ids.read(statement);
    }
  }
}
