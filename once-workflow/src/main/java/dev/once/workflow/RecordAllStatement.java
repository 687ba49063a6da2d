package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import dev.once.workflow.RunWrites.RunEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Writes entries of several histories. */
final class RecordAllStatement {
  private static final String SQL =
      """
      SELECT place, cancelled
      FROM once_workflow_record_all(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private RecordAllStatement() {}

  /** Returns, in the order of {@code items}, nothing for those that have to be written alone. */
  static List<Optional<Ownership>> execute(Connection connection, List<RunEntry> items)
      throws SQLException {
    List<Optional<Ownership>> answers =
        new ArrayList<>(Collections.nCopies(items.size(), Optional.empty()));
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      Parameters parameters =
          new Parameters(statement)
              .texts(items, it -> it.run().id().tenant())
              .texts(items, it -> it.run().id().value())
              .numbers(items, it -> it.run().fence());
      EntryWrite.bind(parameters, items.stream().map(RunEntry::entry).toList());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          answers.set(
              (int) rows.getLong("place") - 1,
              Optional.of(Ownership.of(true, rows.getBoolean("cancelled"))));
        }
      }
    }
    return answers;
  }
}
