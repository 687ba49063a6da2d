package dev.once.jobs;

import dev.once.Payload;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Reads a dead letter's payload. */
final class LetterPayloadStatement {
  private static final String SQL =
      "SELECT j.payload FROM once_job j WHERE j.tenant = ? AND j.id = ? AND j.state = 'dead'";

  private LetterPayloadStatement() {}

  static Optional<Payload.Bytes> execute(Connection connection, String tenant, long id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(tenant).number(id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(Payload.of(row.getBytes(1))) : Optional.empty();
      }
    }
  }
}
