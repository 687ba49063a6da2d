package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ends a run. */
final class EndStatement {
  private static final String SQL =
      """
      SELECT owned, parent_run, parent_workflow, parent_version
      FROM once_workflow_end(?, ?, ?, ?, ?, ?)
      """;

  /** The run that waits for the one that ended. */
  record Parent(String run, String workflow, int version) {}

  private EndStatement() {}

  /** Returns the parent, if this ended a run that has one. */
  static Optional<Parent> execute(
      Connection connection,
      BegunRun run,
      RunState state,
      byte @Nullable [] value,
      byte @Nullable [] failure)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(run.id().tenant())
          .text(run.id().value())
          .number(run.fence())
          .text(state.code())
          .bytes(value)
          .bytes(failure);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        String parent = row.getString("parent_run");
        return parent == null
            ? Optional.empty()
            : Optional.of(
                new Parent(parent, row.getString("parent_workflow"), row.getInt("parent_version")));
      }
    }
  }
}
