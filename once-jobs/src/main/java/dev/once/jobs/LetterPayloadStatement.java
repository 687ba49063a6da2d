package dev.once.jobs;

import dev.once.Payload;
import dev.once.internal.JobPayload;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Reads a dead letter's payload. */
final class LetterPayloadStatement {
  private static final String SQL =
      """
      SELECT j.tenant, j.queue, j.type, j.key, j.payload, j.sealed_by FROM once_job j
      WHERE j.tenant = ? AND j.id = ? AND j.state = 'dead'
      """;

  private LetterPayloadStatement() {}

  static Optional<Payload.Bytes> execute(
      Connection connection, String tenant, long id, PayloadProtection protection)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(tenant).number(id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(Payload.of(read(row, protection))) : Optional.empty();
      }
    }
  }

  private static byte[] read(ResultSet row, PayloadProtection protection) throws SQLException {
    JobKey key =
        JobKey.of(
            row.getString("tenant"),
            row.getString("queue"),
            row.getString("type"),
            row.getString("key"));
    return protection.open(
        key, new JobPayload(row.getBytes("payload"), row.getString("sealed_by")));
  }
}
