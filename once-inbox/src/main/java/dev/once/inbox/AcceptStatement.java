package dev.once.inbox;

import dev.once.jdbc.spi.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Takes items in, in one round trip and one commit however many they are. The decision is made by
 * the functions {@code once_inbox_accept} and {@code once_claim}, next to the data.
 */
final class AcceptStatement {
  private static final String SQL =
      """
      SELECT a.accepted, a.matches
      FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WITH ORDINALITY
        AS i (tenant, provider, key, fingerprint, retention, correlation, kept, type, resource,
              payload, place)
      CROSS JOIN LATERAL once_inbox_accept(
        i.tenant, i.provider, i.key, i.fingerprint, i.retention * interval '1 microsecond',
        i.correlation, CASE WHEN i.kept IS NULL THEN 'none' ELSE 'raw' END,
        coalesce(length(i.kept), 0), i.kept, i.type, i.resource, i.payload) a
      ORDER BY i.place
      """;

  /** Everybody takes in the same items in the same order, so that no two wait for each other. */
  private static final Comparator<Arrival> ORDER =
      Comparator.comparing((Arrival it) -> it.key().tenant())
          .thenComparing(it -> it.key().scope())
          .thenComparing(it -> it.key().value());

  private AcceptStatement() {}

  /** Returns what became of each of {@code arrivals}, in their order. */
  static List<Acceptance> execute(Connection connection, List<Arrival> arrivals)
      throws SQLException {
    List<Integer> order =
        IntStream.range(0, arrivals.size())
            .boxed()
            .sorted(Comparator.comparing(arrivals::get, ORDER))
            .toList();
    List<Arrival> sorted = order.stream().map(arrivals::get).toList();
    Acceptance[] answers = new Acceptance[arrivals.size()];
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      bind(new Parameters(statement), sorted);
      try (ResultSet rows = statement.executeQuery()) {
        for (int i = 0; rows.next(); i++) {
          answers[order.get(i)] = read(rows);
        }
      }
    }
    return List.of(answers);
  }

  private static void bind(Parameters parameters, List<Arrival> arrivals) throws SQLException {
    parameters
        .array("text", arrivals, it -> it.key().tenant())
        .array("text", arrivals, it -> it.provider().name())
        .array("text", arrivals, it -> it.key().value())
        .array("text", arrivals, it -> it.fingerprint().toString())
        .array("int8", arrivals, it -> Parameters.micros(it.provider().retention()))
        .array("text", arrivals, it -> it.correlation().toText())
        .byteArrays(arrivals, Arrival::kept)
        .array("text", arrivals, it -> Inbox.RECEIVED)
        .array("text", arrivals, Arrival::resource)
        .byteArrays(arrivals, Arrival::payload);
  }

  private static Acceptance read(ResultSet row) throws SQLException {
    boolean accepted = row.getBoolean("accepted");
    if (row.wasNull()) {
      return Acceptance.BUSY;
    }
    if (accepted) {
      return Acceptance.NEW;
    }
    return row.getBoolean("matches") ? Acceptance.DUPLICATE : Acceptance.CONFLICT;
  }
}
