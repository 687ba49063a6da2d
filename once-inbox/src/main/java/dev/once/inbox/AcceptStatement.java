package dev.once.inbox;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Accepts any number of items in one round trip and one commit. The functions {@code
 * once_inbox_accept} and {@code once_remember} decide in the database which items are new.
 */
final class AcceptStatement {
  private static final String SQL =
      """
      SELECT accepted, fingerprints
      FROM once_inbox_accept(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private AcceptStatement() {}

  /**
   * Returns the stored state of each of {@code arrivals}, in their order. Their keys must differ,
   * and every caller must pass keys in the same order, so that concurrent transactions do not
   * deadlock.
   */
  static List<RememberedItem> execute(Connection connection, List<IncomingItem> arrivals)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .array("text", arrivals, it -> it.key().tenant())
          .array("text", arrivals, it -> it.key().scope())
          .array("text", arrivals, it -> it.key().value())
          .array("text", arrivals, it -> it.fingerprint().toString())
          .array("int8", arrivals, it -> Parameters.micros(it.provider().retention()))
          .array("text", arrivals, it -> it.correlation().toText())
          .byteArrays(arrivals, IncomingItem::kept)
          .array("text", arrivals, it -> Inbox.queueOf(it.provider()))
          .array("text", arrivals, IncomingItem::jobType)
          .array("text", arrivals, IncomingItem::jobKey)
          .byteArrays(arrivals, IncomingItem::payload);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        Boolean[] accepted = (Boolean[]) row.getArray("accepted").getArray();
        String[] fingerprints = (String[]) row.getArray("fingerprints").getArray();
        return IntStream.range(0, arrivals.size())
            .mapToObj(i -> RememberedItem.of(accepted[i], fingerprints[i], arrivals.get(i)))
            .toList();
      }
    }
  }
}
