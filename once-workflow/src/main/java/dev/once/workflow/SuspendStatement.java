package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Optional;

/** Lets a run wait, unless there is something new. */
final class SuspendStatement {
  private static final String SQL =
      "SELECT owned, suspended, wake_at FROM once_workflow_suspend(?, ?, ?, ?)";

  /**
   * @param isOver whether this activation ends: the run waits, or another activation has it
   * @param wakeAt when a job has to continue the run
   */
  record Suspended(boolean isOver, Optional<Instant> wakeAt) {}

  private SuspendStatement() {}

  static Suspended execute(Connection connection, BegunRun run, boolean isCompensating)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(run.id().tenant())
          .text(run.id().value())
          .number(run.fence())
          .number(run.history().waiting(isCompensating));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        Timestamp wakeAt = row.getTimestamp("wake_at");
        return new Suspended(
            !row.getBoolean("owned") || row.getBoolean("suspended"),
            Optional.ofNullable(wakeAt).map(Timestamp::toInstant));
      }
    }
  }
}
