package dev.once.jdbc;

import dev.once.Key;
import dev.once.jdbc.spi.Parameters;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Claims a key or reads its record, in one statement. The decision is made by the function {@code
 * once_claim} of the schema, next to the data.
 */
final class ClaimStatement {
  static final String SQL =
      """
      SELECT * FROM once_claim(
        ?, ?, ?, ?, ? * interval '1 microsecond', ? * interval '1 microsecond', ?, ?, ?, ?)
      """;

  private ClaimStatement() {}

  static void bind(PreparedStatement statement, ClaimAsk ask) throws SQLException {
    ClaimRequest request = ask.request();
    Key key = request.key();
    new Parameters(statement)
        .text(key.tenant())
        .text(key.scope())
        .text(key.value())
        .text(request.fingerprint().toString())
        .duration(request.lease())
        .duration(request.retention())
        .text(ask.recovery())
        .number(request.maxAttempts())
        .text(request.correlation().toText())
        .flag(ask.reconciling());
  }

  /** The answer in {@code row}, or nothing if somebody else has the key's turn just now. */
  static Optional<Claim> read(ResultSet row, Key key, Packing packing) throws SQLException {
    boolean granted = row.getBoolean("granted");
    if (row.wasNull()) {
      return Optional.empty();
    }
    return Optional.of(
        granted
            ? new Claim.Granted(key, row.getLong("fence"), row.getInt("attempts"))
            : answer(row, key, packing));
  }

  private static Claim answer(ResultSet row, Key key, Packing packing) throws SQLException {
    RecordRow.requireKnownFormat(row, key);
    if (!row.getBoolean("matches")) {
      return new Claim.Mismatched();
    }
    if (!"in_progress".equals(row.getString("state"))) {
      return new Claim.Replay(RecordRow.outcome(row, key, packing), RecordRow.correlation(row));
    }
    long leaseLeftMicros = row.getLong("lease_left_micros");
    return leaseLeftMicros > 0
        ? new Claim.Held(Duration.of(leaseLeftMicros, ChronoUnit.MICROS))
        : new Claim.Uncertain();
  }

  static Optional<Claim> execute(Connection connection, ClaimAsk ask, Packing packing)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      bind(statement, ask);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return read(row, ask.request().key(), packing);
      }
    }
  }
}
