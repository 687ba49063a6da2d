package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;

/** Finds the ids of a page of dead letters that can be retried. */
final class PickLettersStatement {
  private static final String RETRIABLE = sql(RetryLettersStatement.CAN_BE_RETRIED);
  private static final String ANY = sql("true");

  private PickLettersStatement() {}

  static Set<Long> retriable(Connection connection, LetterQuery query) throws SQLException {
    return execute(connection, RETRIABLE, query);
  }

  static Set<Long> any(Connection connection, LetterQuery query) throws SQLException {
    return execute(connection, ANY, query);
  }

  private static String sql(String condition) {
    return LetterPage.WITH + "SELECT j.id\n" + LetterPage.from(condition);
  }

  private static Set<Long> execute(Connection connection, String sql, LetterQuery query)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      LetterPage.bind(new Parameters(statement), query);
      return Ids.read(statement);
    }
  }
}
