package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Reads a page of dead letters. */
final class ListLettersStatement {
  static final String SQL =
      LetterPage.WITH + "SELECT " + DeadLetter.COLUMNS + LetterPage.from("true");

  private ListLettersStatement() {}

  static List<DeadLetter> execute(
      Connection connection, LetterQuery query, PayloadProtection protection, JobListener listener)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      return new PageRows(listener, "dead letter")
          .page(
              query.afterId(),
              query.limit(),
              (after, limit) -> {
                LetterPage.bind(new Parameters(statement), query.after(after).withLimit(limit));
                return statement.executeQuery();
              },
              row -> DeadLetter.read(row, protection));
    }
  }
}
