package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Reschedules claimed jobs, for now or for later. */
final class RescheduleStatement {
  private static final String SQL =
      """
      UPDATE once_job j SET
        state = CASE WHEN c.delay > 0 THEN 'waiting' ELSE 'ready' END,
        run_at = clock_timestamp() + c.delay * interval '1 microsecond',
        attempt = CASE WHEN c.counted THEN j.attempt ELSE j.attempt - 1 END,
        lease_until = NULL,
        reason = coalesce(c.reason, j.reason),
        stack = CASE WHEN c.reason IS NULL THEN j.stack ELSE c.stack END
      FROM unnest(?, ?, ?, ?, ?, ?) AS c (id, fence, delay, counted, reason, stack)
      WHERE %s
      RETURNING j.id
      """
          .formatted(GrantCondition.SQL);

  private RescheduleStatement() {}

  /** Returns the ids of the jobs whose newest claim was the given one. */
  static Set<Long> execute(Connection connection, List<Settlement.Reschedule> settlements)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("int8", settlements, settlement -> settlement.jobLease().job().id())
          .array("int8", settlements, settlement -> settlement.jobLease().job().fence())
          .array("int8", settlements, settlement -> Parameters.micros(settlement.delay()))
          .array("bool", settlements, Settlement.Reschedule::counted)
          .array(
              "text",
              settlements,
              settlement -> settlement.counted() ? settlement.why().reason() : null)
          .array("text", settlements, settlement -> settlement.why().stack().orElse(null));
      return Ids.read(statement);
    }
  }
}
