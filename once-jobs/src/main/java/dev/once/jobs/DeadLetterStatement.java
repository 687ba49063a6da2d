package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes claimed jobs dead letters.
 *
 * @param retentions how long it is remembered that a job was done, and what its attempts did
 */
record DeadLetterStatement(PayloadProtection protection, Retentions retentions) {
  private static final String SQL =
      """
      UPDATE once_job j SET
        state = 'dead', died_at = clock_timestamp(), lease_until = NULL,
        forget_at = CASE WHEN c.leaves_effects THEN least(
          j.began_at + ? * interval '1 microsecond',
          CASE WHEN c.must_ask THEN j.lapsed_at + ? * interval '1 microsecond' END) END,
        attempt = c.attempt, lapsed_at = NULL, counted = false,
        reason = c.reason, stack = c.stack, failure = c.failure
      FROM unnest(?, ?, ?, ?, ?, ?, ?, ?)
        AS c (id, fence, attempt, leaves_effects, must_ask, reason, stack, failure)
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
          .duration(retentions.effects())
          .duration(retentions.keys())
          .array("int8", settlements, settlement -> settlement.jobLease().job().id())
          .array("int8", settlements, settlement -> settlement.jobLease().job().fence())
          .array("int4", settlements, Settlement.Dead::attempts)
          .array("bool", settlements, it -> isTrue(it, Handler::leavesEffects))
          .array("bool", settlements, it -> isTrue(it, Handler::mustAsk))
          .array("text", failures, StoredFailure::reason)
          .array("text", failures, StoredFailure::stack)
          .byteArrays(failures, StoredFailure::sealed);
      return Ids.read(statement);
    }
  }

  private static boolean isTrue(Settlement.Dead settlement, Predicate<Handler> question) {
    return settlement.jobLease().handler().filter(question).isPresent();
  }
}
