package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import dev.once.steps.RunId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;

/** Stores a signal for a run. */
final class SignalStatement {
  private static final String SQL =
      "SELECT result, number, workflow, version FROM once_workflow_signal(?, ?, ?, ?, ?, ?)";

  /**
   * @param number of the signal, if it was accepted
   * @param jobType the type of the jobs that continue the run, if there is one
   */
  record Sent(SignalResult result, long number, String jobType) {}

  private SignalStatement() {}

  static Sent execute(Connection connection, RunId run, String name, String id, byte[] value)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(run.tenant())
          .text(run.value())
          .text(name)
          .text(id)
          .bytes(value)
          .number(Workflows.MAX_WAITING_SIGNALS);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Sent(
            SignalResult.valueOf(row.getString("result").toUpperCase(Locale.ROOT)),
            row.getLong("number"),
            WakeJob.type(String.valueOf(row.getString("workflow")), row.getInt("version")));
      }
    }
  }
}
