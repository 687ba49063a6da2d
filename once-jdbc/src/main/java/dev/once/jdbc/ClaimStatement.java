package dev.once.jdbc;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.UnreadableOutcomeException;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.Claim;
import dev.once.spi.Packing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;

/**
 * Claims keys or reads their records, in one statement. The functions {@code once_claims} and
 * {@code once_claim} of the schema decide, next to the data.
 */
final class ClaimStatement {
  static final String SQL = "SELECT * FROM once_claims(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  /** A larger body is read by a separate statement, once for all callers that wait for it. */
  static final int MAX_BATCHED_BODY = 64 << 10;

  private ClaimStatement() {}

  /** Sends one claim to the grant rule. */
  static BatchedAnswer execute(
      Connection connection, ClaimCall claimCall, int maxBody, Packing packing)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      bind(new Parameters(statement), List.of(claimCall), maxBody);
      ResultSet row = statement.executeQuery();
      row.next();
      return read(row, claimCall.key(), packing);
    }
  }

  static void bind(Parameters parameters, List<ClaimCall> claims, int maxBody) throws SQLException {
    ClaimCall.bind(parameters, claims)
        .integers(claims, it -> it.request().maxAttempts())
        .texts(claims, it -> it.request().correlation().toText())
        .numbers(claims, it -> it.request().token())
        .flags(claims, it -> it.request().reconciling())
        .number(maxBody);
  }

  /**
   * Reads the answers to {@code claims} into {@code answers}, each at the index of its claim.
   *
   * @return how many claims were not granted
   */
  static int read(
      ResultSet rows,
      List<ClaimCall> claims,
      List<Supplier<BatchedAnswer>> answers,
      Packing packing)
      throws SQLException {
    int duplicates = 0;
    while (rows.next()) {
      int place = Math.toIntExact(rows.getLong("place")) - 1;
      answers.set(place, answer(rows, claims.get(place).request().key(), packing));
      duplicates += rows.getBoolean("granted") ? 0 : 1;
    }
    return duplicates;
  }

  /** Reads one answer. A record that this release cannot read fails only its own claim. */
  private static Supplier<BatchedAnswer> answer(ResultSet row, Key key, Packing packing)
      throws SQLException {
    try {
      BatchedAnswer answer = read(row, key, packing);
      return () -> answer;
    } catch (StoreException | UnreadableOutcomeException e) {
      return () -> {
        throw e;
      };
    } catch (RuntimeException e) {
      return () -> {
        throw new StoreException("claim of " + key + " failed: " + e.getMessage(), e);
      };
    }
  }

  /** Reads the answer in {@code row}. */
  static BatchedAnswer read(ResultSet row, Key key, Packing packing) throws SQLException {
    boolean granted = row.getBoolean("granted");
    if (row.wasNull()) {
      return new BatchedAnswer.Contested();
    }
    if (granted) {
      return new BatchedAnswer.Claimed(grant(row, key));
    }
    RecordRow.requireKnownFormat(row, key);
    boolean done = !"in_progress".equals(row.getString("state"));
    if (row.getBoolean("matches") && done && lacksBody(row)) {
      return new BatchedAnswer.LargeReplay(key, row.getLong("fence"));
    }
    return new BatchedAnswer.Claimed(refusal(row, key, done, packing));
  }

  private static boolean lacksBody(ResultSet row) throws SQLException {
    return row.getInt("stored_bytes") > MAX_BATCHED_BODY && row.getObject("body") == null;
  }

  private static Claim refusal(ResultSet row, Key key, boolean done, Packing packing)
      throws SQLException {
    if (!row.getBoolean("matches")) {
      return new Claim.Mismatched();
    }
    if ("open".equals(row.getString("state"))) {
      return new Claim.Held(Duration.ZERO); // A late copy of a claim whose grant was given back.
    }
    if (done) {
      return new Claim.Replay(RecordRow.outcome(row, key, packing), RecordRow.correlation(row));
    }
    long leaseLeftMicros = row.getLong("lease_left_micros");
    if (leaseLeftMicros <= 0) {
      return new Claim.Uncertain();
    }
    return row.getBoolean("same_claim")
        ? grant(row, key)
        : new Claim.Held(Duration.of(leaseLeftMicros, ChronoUnit.MICROS));
  }

  private static Claim.Granted grant(ResultSet row, Key key) throws SQLException {
    return new Claim.Granted(key, row.getLong("fence"), row.getInt("attempts"));
  }
}
