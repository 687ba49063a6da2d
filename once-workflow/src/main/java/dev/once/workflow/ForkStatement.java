package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import dev.once.jobs.Job;
import dev.once.steps.RunId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Copies a run and the first part of its history. */
final class ForkStatement {
  private static final String SQL =
      """
      WITH fork AS (
        INSERT INTO once_workflow_run (tenant, run, workflow, version, fingerprint, input)
        SELECT r.tenant, ?, r.workflow, r.version, r.fingerprint, r.input
        FROM once_workflow_run r WHERE r.tenant = ? AND r.run = ?
        ON CONFLICT (tenant, run) DO NOTHING
        RETURNING tenant, run, workflow, version, fence),
      copied AS (
        INSERT INTO once_workflow_entry (
          tenant, run, path, kind, name, input, state, attempt, value, failure, due_at)
        SELECT f.tenant, f.run, e.path, e.kind, e.name, e.input,
          -- A compensation that has run for the other run may be necessary for this one.
          CASE WHEN e.kind = 'compensation' THEN 'registered' ELSE e.state END,
          CASE WHEN e.kind = 'compensation' THEN 0 ELSE e.attempt END,
          e.value, e.failure, e.due_at
        FROM fork f JOIN once_workflow_entry e ON e.tenant = f.tenant AND e.run = ?
        WHERE split_part(rtrim(e.path, '~'), '/', 1)::integer < ?
          -- A child that has not ended tells its own parent alone of its end.
          AND NOT (e.kind = 'child' AND e.state = 'waiting')
        ORDER BY e.number)
      SELECT f.workflow, f.version, f.fence FROM fork f
      """;

  private ForkStatement() {}

  static boolean execute(
      Connection connection, RunId run, int path, RunId fork, Engine engine, List<Job> jobs)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(fork.value())
          .text(run.tenant())
          .text(run.value())
          .text(run.value())
          .number(path);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return false;
        }
        String type = WakeJob.type(row.getString("workflow"), row.getInt("version"));
        jobs.add(WakeJob.start(engine.queue(), type, fork, row.getLong("fence")));
        return true;
      }
    }
  }
}
