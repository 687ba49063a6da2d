package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import dev.once.workflow.RunWrites.CompletedRun;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Ends several runs that have no parent, with their values. */
final class CompleteAllStatement {
  private static final String SQL =
      "SELECT place FROM once_workflow_complete_all(?, ?, ?, ?) AS c (place)";

  private CompleteAllStatement() {}

  /** Returns which of {@code items} it ended; the others have to be ended alone. */
  static Set<Integer> execute(Connection connection, List<CompletedRun> items) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .texts(items, it -> it.run().id().tenant())
          .texts(items, it -> it.run().id().value())
          .numbers(items, it -> it.run().fence())
          .byteArrays(items, CompletedRun::value);
      try (ResultSet rows = statement.executeQuery()) {
        Set<Integer> ended = new HashSet<>();
        while (rows.next()) {
          ended.add(rows.getInt("place") - 1);
        }
        return ended;
      }
    }
  }
}
