package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import dev.once.steps.RunId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what an open run waits for, from its history and its jobs. */
final class WaitsStatement {
  private static final int MAX_REASONS = 100;

  private static final String SQL =
      """
      (SELECT e.state || ' ' || e.kind || ' ' || e.name AS what, e.due_at AS until
       FROM once_workflow_entry e
       WHERE e.tenant = ? AND e.run = ? AND e.state IN ('waiting', 'uncertain', 'begun')
       LIMIT %d)
      UNION ALL
      (SELECT CASE j.state
         WHEN 'ready' THEN 'job ' || j.id || ' of ' || j.type || ' is ready: no worker has taken it'
         WHEN 'running' THEN 'job ' || j.id || ' of ' || j.type || ' runs, until its lease ends'
         WHEN 'dead' THEN 'job ' || j.id || ' of ' || j.type || ' is a dead letter'
           || coalesce(': ' || j.reason, '')
         ELSE 'job ' || j.id || ' of ' || j.type || ' is ' || j.state END,
         CASE j.state WHEN 'running' THEN j.lease_until WHEN 'waiting' THEN j.run_at END
       FROM once_workflow_run r
       JOIN once_job j ON j.tenant = r.tenant AND j.queue = ?
         AND j.key > r.workflow || '.v' || r.version || ':' || r.run || '#'
         AND j.key < r.workflow || '.v' || r.version || ':' || r.run || '$'
       WHERE r.tenant = ? AND r.run = ?
       LIMIT %d)
      """
          .formatted(MAX_REASONS, MAX_REASONS);

  private WaitsStatement() {}

  static List<WaitReason> execute(Connection connection, RunId run, Engine engine)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(run.tenant())
          .text(run.value())
          .text(engine.queue())
          .text(run.tenant())
          .text(run.value());
      try (ResultSet rows = statement.executeQuery()) {
        List<WaitReason> reasons = new ArrayList<>();
        while (rows.next()) {
          Timestamp until = rows.getTimestamp("until");
          reasons.add(
              new WaitReason(
                  rows.getString("what"), Optional.ofNullable(until).map(Timestamp::toInstant)));
        }
        return reasons;
      }
    }
  }
}
