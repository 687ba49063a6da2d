package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads a page of dead letters. */
final class ListLettersStatement {
  static final String SQL =
      LetterPage.WITH + "SELECT " + DeadLetter.COLUMNS + LetterPage.from("true");

  private ListLettersStatement() {}

  static List<DeadLetter> execute(
      Connection connection, LetterQuery query, PayloadProtection protection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      LetterPage.bind(new Parameters(statement), query);
      List<DeadLetter> letters = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          letters.add(DeadLetter.read(rows, protection));
        }
      }
      return letters;
    }
  }
}
