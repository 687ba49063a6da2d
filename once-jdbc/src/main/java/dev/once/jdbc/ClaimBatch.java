package dev.once.jdbc;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.UnreadableOutcomeException;
import dev.once.jdbc.spi.Parameters;
import dev.once.spi.Claim;
import dev.once.spi.Packing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Many claims in one statement and one commit, by the function {@code once_claims} of the schema.
 */
final class ClaimBatch {
  private static final String SQL = "SELECT * FROM once_claims(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private ClaimBatch() {}

  /** Returns an answer for each of {@code asks}, in their order. */
  static List<Supplier<Optional<Claim>>> execute(
      Connection connection, List<ClaimAsk> asks, Packing packing) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("text", asks, it -> it.request().key().tenant())
          .array("text", asks, it -> it.request().key().scope())
          .array("text", asks, it -> it.request().key().value())
          .array("text", asks, it -> it.request().fingerprint().toString())
          .array("bigint", asks, it -> Parameters.micros(it.request().lease()))
          .array("bigint", asks, it -> Parameters.micros(it.request().retention()))
          .array("text", asks, ClaimAsk::recovery)
          .array("integer", asks, it -> it.request().maxAttempts())
          .array("text", asks, it -> it.request().correlation().toText())
          .array("boolean", asks, ClaimAsk::reconciling);
      try (ResultSet rows = statement.executeQuery()) {
        return read(rows, asks, packing);
      }
    }
  }

  private static List<Supplier<Optional<Claim>>> read(
      ResultSet rows, List<ClaimAsk> asks, Packing packing) throws SQLException {
    // There is no row for a key of which somebody else has the turn.
    List<Supplier<Optional<Claim>>> answers =
        new ArrayList<>(Collections.nCopies(asks.size(), Optional::empty));
    while (rows.next()) {
      int place = Math.toIntExact(rows.getLong("place")) - 1;
      answers.set(place, read(rows, asks.get(place).request().key(), packing));
    }
    return answers;
  }

  /** A record that this release cannot read is its own claim's trouble and nobody else's. */
  private static Supplier<Optional<Claim>> read(ResultSet row, Key key, Packing packing)
      throws SQLException {
    try {
      Optional<Claim> claim = ClaimStatement.read(row, key, packing);
      return () -> claim;
    } catch (UnreadableOutcomeException e) {
      return () -> {
        throw e;
      };
    } catch (RuntimeException e) {
      return () -> {
        throw new StoreException("claim of " + key + " failed: " + e.getMessage(), e);
      };
    }
  }
}
