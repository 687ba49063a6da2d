package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import dev.once.steps.RunId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/** Creates a run. */
final class StartStatement {
  private static final String SQL =
      "SELECT created, matches, fence FROM once_workflow_start(?, ?, ?, ?, ?, ?, ?, ?)";

  /** The entry of another run that waits for the end of this one. */
  record Parent(RunId run, String path) {}

  private StartStatement() {}

  /**
   * Returns the first fence of the run if this created it, in place of finding it.
   *
   * @param input packed
   * @throws RunMismatchException if the name belongs to a run of another workflow or input
   */
  static OptionalLong execute(
      Connection connection,
      RunId run,
      Workflow<?, ?> workflow,
      String fingerprint,
      byte[] input,
      Optional<Parent> parent)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(run.tenant())
          .text(run.value())
          .text(workflow.name())
          .number(workflow.version())
          .text(fingerprint)
          .bytes(input)
          .text(parent.map(it -> it.run().value()).orElse(null))
          .text(parent.map(Parent::path).orElse(null));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        if (!row.getBoolean("matches")) {
          throw new RunMismatchException(run, workflow);
        }
        return row.getBoolean("created")
            ? OptionalLong.of(row.getLong("fence"))
            : OptionalLong.empty();
      }
    }
  }
}
