package dev.once.jdbc;

import dev.once.Key;
import dev.once.Recovery;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.Packing;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/** Reads one record as it is now. */
final class FindStatement {
  private static final String SQL =
      "SELECT *, "
          + RecordRow.STATE_NOW
          + """
          FROM once_record
          WHERE tenant = ? AND scope = ? AND key = ? AND expires_at > clock_timestamp()
          """;

  private FindStatement() {}

  static Optional<RecordView> execute(Connection connection, Key key, Packing packing)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(key.tenant()).text(key.scope()).text(key.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row, key, packing)) : Optional.empty();
      }
    }
  }

  private static RecordView read(ResultSet row, Key key, Packing packing) throws SQLException {
    RecordRow.requireKnownFormat(row, key);
    State state = RecordRow.stateNow(row);
    boolean done = state == State.COMPLETED || state == State.FAILED;
    return new RecordView(
        key,
        state,
        RecordRow.fingerprint(row),
        row.getLong("fence"),
        row.getInt("attempts"),
        Recovery.valueOf(row.getString("recovery").toUpperCase(Locale.ROOT)),
        RecordRow.instant(row, "created_at"),
        RecordRow.instant(row, "lease_until"),
        RecordRow.instant(row, "expires_at"),
        RecordRow.correlation(row),
        done ? Optional.of(RecordRow.outcome(row, key, packing)) : Optional.empty());
  }
}
