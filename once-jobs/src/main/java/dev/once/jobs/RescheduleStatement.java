package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Reschedules claimed jobs, for now or for later. */
record RescheduleStatement(PayloadProtection protection) {
  private static final String SQL =
      """
      UPDATE once_job j SET
        state = CASE WHEN c.delay > 0 THEN 'waiting' ELSE 'ready' END,
        run_at = clock_timestamp() + c.delay * interval '1 microsecond',
        attempt = CASE WHEN c.counted THEN c.attempt ELSE c.attempt - 1 END,
        counted = false, lease_until = NULL,
        lapsed_at = CASE WHEN NOT c.counted THEN j.lapsed_at END,
        began_at = CASE WHEN c.begun OR c.attempt > 1 OR j.lapsed_at IS NOT NULL THEN j.began_at END,
        reason = CASE WHEN c.counted THEN c.reason ELSE j.reason END,
        stack = CASE WHEN c.counted THEN c.stack ELSE j.stack END,
        failure = CASE WHEN c.counted THEN c.failure ELSE j.failure END
      FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?)
        AS c (id, fence, attempt, delay, begun, counted, reason, stack, failure)
      WHERE %s
      RETURNING j.id
      """
          .formatted(GrantCondition.SQL);

  /** Returns the ids of the jobs whose newest claim was the given one. */
  Set<Long> execute(Connection connection, List<Settlement.Reschedule> settlements)
      throws SQLException {
    List<StoredFailure> failures = settlements.stream().map(this::stored).toList();
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("int8", settlements, settlement -> settlement.jobLease().job().id())
          .array("int8", settlements, settlement -> settlement.jobLease().job().fence())
          .array("int4", settlements, settlement -> settlement.jobLease().job().attempt())
          .array("int8", settlements, settlement -> Parameters.micros(settlement.delay()))
          .array("bool", settlements, it -> it.run() != RunKind.NOT_BEGUN)
          .array("bool", settlements, Settlement.Reschedule::counted)
          .array("text", failures, StoredFailure::reason)
          .array("text", failures, StoredFailure::stack)
          .byteArrays(failures, StoredFailure::sealed);
      return Ids.read(statement);
    }
  }

  private StoredFailure stored(Settlement.Reschedule settlement) {
    return settlement.counted()
        ? protection.seal(settlement.jobLease().job().key(), settlement.why())
        : StoredFailure.NONE;
  }
}
