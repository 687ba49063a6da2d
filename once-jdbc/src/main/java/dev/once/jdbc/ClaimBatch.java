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
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Many claims in one statement and one commit. Two of one key are answered one after the other. */
final class ClaimBatch {
  private static final String SQL =
      """
      SELECT claim.*
      FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[],
                  ?::integer[], ?::text[], ?::boolean[])
        WITH ORDINALITY AS ask (tenant, scope, key, fingerprint, lease, retention, recovery,
                                max_attempts, correlation, reconciling, position)
      CROSS JOIN LATERAL once_claim(
        ask.tenant, ask.scope, ask.key, ask.fingerprint, ask.lease * interval '1 microsecond',
        ask.retention * interval '1 microsecond', ask.recovery, ask.max_attempts, ask.correlation,
        ask.reconciling) AS claim
      ORDER BY ask.position
      """;

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
        List<Supplier<Optional<Claim>>> answers = new ArrayList<>();
        for (ClaimAsk ask : asks) {
          rows.next();
          answers.add(read(rows, ask.request().key(), packing));
        }
        return answers;
      }
    }
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
