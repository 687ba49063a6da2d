package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Writes an entry of a history. */
final class RecordStatement {
  private static final String SQL =
      """
      SELECT owned, cancelled FROM once_workflow_record(
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? * interval '1 microsecond', ?::timestamptz, ?)
      """;

  private RecordStatement() {}

  static Ownership execute(Connection connection, BegunRun run, EntryWrite entry)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      Parameters parameters =
          new Parameters(statement)
              .text(run.id().tenant())
              .text(run.id().value())
              .number(run.fence());
      entry.bind(parameters);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return Ownership.of(row.getBoolean("owned"), row.getBoolean("cancelled"));
      }
    }
  }
}
