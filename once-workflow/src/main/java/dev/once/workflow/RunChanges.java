package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import dev.once.jobs.Job;
import dev.once.steps.RunId;
import dev.once.workflow.SignalStatement.Sent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Changes runs from outside of their code, together with the jobs that continue them. */
record RunChanges(Engine engine) {
  private static final String CANCEL =
      """
      UPDATE once_workflow_run r SET cancel_requested = true
      WHERE r.tenant = ? AND r.run = ? AND r.state = 'running'
      RETURNING r.workflow, r.version, r.fence
      """;

  private static final String RESUME =
      """
      SELECT r.workflow, r.version, r.fence FROM once_workflow_resume(?, ?) r
      WHERE r.workflow IS NOT NULL
      """;

  SignalResult signal(
      Connection connection, RunId run, String name, String id, byte[] value, List<Job> jobs)
      throws SQLException {
    Sent sent = SignalStatement.execute(connection, run, name, id, value);
    if (sent.result() == SignalResult.ACCEPTED) {
      jobs.add(WakeJob.of(engine.queue(), sent.jobType(), run, "signal" + sent.number()));
    }
    return sent.result();
  }

  boolean cancel(RunId run) {
    return engine
        .jobs()
        .enqueueWith("cancelling a run", (connection, jobs) -> cancel(connection, run, jobs));
  }

  boolean cancel(Connection connection, RunId run, List<Job> jobs) throws SQLException {
    return change(connection, CANCEL, run, "cancel", jobs);
  }

  boolean resume(RunId run) {
    return engine
        .jobs()
        .enqueueWith(
            "resuming a run",
            (connection, jobs) -> change(connection, RESUME, run, "resume", jobs));
  }

  private boolean change(Connection connection, String sql, RunId run, String cause, List<Job> jobs)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement).text(run.tenant()).text(run.value());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return false;
        }
        String type = WakeJob.type(row.getString("workflow"), row.getInt("version"));
        // With the fence, because a key is known as done for a while.
        jobs.add(WakeJob.of(engine.queue(), type, run, cause + row.getLong("fence")));
        return true;
      }
    }
  }
}
