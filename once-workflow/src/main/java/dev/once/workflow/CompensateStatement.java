package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Writes that a run only compensates from now on, and why. */
final class CompensateStatement {
  private static final String SQL =
      """
      UPDATE once_workflow_run r SET state = 'compensating', failure = ?
      WHERE r.tenant = ? AND r.run = ? AND r.fence = ? AND r.owner_job IS NOT NULL
      """;

  private CompensateStatement() {}

  /** Returns whether the activation owns the run. */
  static boolean execute(Connection connection, BegunRun run, byte @Nullable [] failure)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .bytes(failure)
          .text(run.id().tenant())
          .text(run.id().value())
          .number(run.fence());
      return statement.executeUpdate() == 1;
    }
  }
}
