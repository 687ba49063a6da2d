package dev.once.jdbc;

import dev.once.jdbc.spi.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Many completions in one statement and one commit, by the function {@code once_complete} of the
 * schema.
 */
final class CompleteBatch {
  private static final String SQL = "SELECT once_complete(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private CompleteBatch() {}

  /** Returns an answer for each of {@code ends}, in their order. */
  static List<Supplier<Change>> execute(Connection connection, List<Completion> ends)
      throws SQLException {
    Set<Long> done = places(connection, ends);
    List<Supplier<Change>> answers = new ArrayList<>(ends.size());
    for (int i = 0; i < ends.size(); i++) {
      Change change =
          done.contains(i + 1L)
              ? Change.MADE
              : GrantCondition.refused(connection, ends.get(i).grant());
      answers.add(() -> change);
    }
    return answers;
  }

  /** Which of {@code ends} are done now, counted from 1. */
  private static Set<Long> places(Connection connection, List<Completion> ends)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("text", ends, it -> it.grant().key().tenant())
          .array("text", ends, it -> it.grant().key().scope())
          .array("text", ends, it -> it.grant().key().value())
          .array("bigint", ends, it -> it.grant().fence())
          .array("text", ends, it -> it.outcome().failed() ? "failed" : "completed")
          .array("integer", ends, it -> it.outcome().status())
          .array("text", ends, it -> it.headers())
          .array("text", ends, it -> it.body().form)
          .array("bigint", ends, it -> it.body().size)
          .byteArrays(ends, it -> it.body().bytes)
          .array("bigint", ends, it -> Parameters.micros(it.retention()));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return Set.of((Long[]) row.getArray(1).getArray());
      }
    }
  }
}
