package dev.once.jdbc;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Recovery;
import dev.once.jdbc.spi.Parameters;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;

/** Reads one record as it is now. */
final class FindStatement {
  private static final String SQL =
      """
      SELECT *, CASE WHEN state = 'in_progress' AND recovery = 'ask'
                          AND lease_until <= clock_timestamp()
                     THEN 'uncertain' ELSE state END AS state_now
      FROM once_record
      WHERE tenant = ? AND scope = ? AND key = ? AND expires_at > clock_timestamp()
      """;

  private FindStatement() {}

  static Optional<RecordView> execute(Connection connection, Key key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(key.tenant()).text(key.scope()).text(key.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row, key)) : Optional.empty();
      }
    }
  }

  private static RecordView read(ResultSet row, Key key) throws SQLException {
    RecordRow.requireKnownFormat(row, key);
    State state = State.valueOf(row.getString("state_now").toUpperCase(Locale.ROOT));
    boolean done = state == State.COMPLETED || state == State.FAILED;
    return new RecordView(
        key,
        state,
        Fingerprint.parse(row.getString("fingerprint")),
        row.getLong("fence"),
        row.getInt("attempts"),
        Recovery.valueOf(row.getString("recovery").toUpperCase(Locale.ROOT)),
        instant(row, "created_at"),
        instant(row, "lease_until"),
        instant(row, "expires_at"),
        RecordRow.correlation(row),
        done ? Optional.of(RecordRow.outcome(row)) : Optional.empty());
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
