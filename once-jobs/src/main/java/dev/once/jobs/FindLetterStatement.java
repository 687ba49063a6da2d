package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Reads one dead letter. */
final class FindLetterStatement {
  private static final String SQL =
      "SELECT "
          + DeadLetter.COLUMNS
          + "FROM once_job j WHERE j.tenant = ? AND j.id = ? AND j.state = 'dead'";

  private FindLetterStatement() {}

  static Optional<DeadLetter> execute(
      Connection connection, String tenant, long id, PayloadProtection protection)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(tenant).number(id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(DeadLetter.read(row, protection)) : Optional.empty();
      }
    }
  }
}
