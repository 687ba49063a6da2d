package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;

/** Finds the ids of a page of dead letters that can be retried. */
final class PickLettersStatement {
  private static final String SQL =
      LetterPage.WITH + "SELECT j.id\n" + LetterPage.from(RetryLettersStatement.CAN_BE_RETRIED);

  private PickLettersStatement() {}

  static Set<Long> execute(Connection connection, LetterQuery query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      LetterPage.bind(new Parameters(statement), query);
      return Ids.read(statement);
    }
  }
}
