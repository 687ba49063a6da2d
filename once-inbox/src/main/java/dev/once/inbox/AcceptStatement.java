package dev.once.inbox;

import dev.once.internal.JobPayload;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.Packing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Accepts any number of items in one round trip and one commit. The functions {@code
 * once_inbox_accept} and {@code once_remember} decide in the database which items are new.
 *
 * @param packing seals what is stored of items, if there are keys
 */
record AcceptStatement(Packing packing) {
  private static final String ONE =
      """
      SELECT accepted, fingerprint
      FROM once_inbox_accept_one(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String MANY =
      """
      SELECT accepted, fingerprints
      FROM once_inbox_accept(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  /**
   * Returns the stored state of each of {@code arrivals}, in their order. Their keys must differ,
   * and every caller must pass keys in the same order, so that concurrent transactions do not
   * deadlock.
   */
  List<RememberedItem> execute(Connection connection, List<IncomingItem> arrivals)
      throws SQLException {
    List<StoredItem> stored = arrivals.stream().map(it -> StoredItem.of(it, packing)).toList();
    return stored.size() == 1
        ? List.of(executeOne(connection, stored.get(0)))
        : executeMany(connection, stored);
  }

  private static RememberedItem executeOne(Connection connection, StoredItem stored)
      throws SQLException {
    IncomingItem item = stored.item();
    try (PreparedStatement statement = connection.prepareStatement(ONE)) {
      new Parameters(statement)
          .text(item.key().tenant())
          .text(item.key().scope())
          .text(item.key().value())
          .text(item.fingerprint().toString())
          .duration(item.provider().retention())
          .text(item.correlation().toText())
          .text(stored.keptForm())
          .number(stored.keptBytes())
          .bytes(stored.kept())
          .text(Inbox.queueOf(item.provider()))
          .text(item.jobType())
          .text(stored.jobKey())
          .bytes(stored.payload().map(JobPayload::bytes).orElse(null))
          .text(stored.payload().map(JobPayload::sealedBy).orElse(null));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return RememberedItem.of(row.getBoolean("accepted"), row.getString("fingerprint"), item);
      }
    }
  }

  private static List<RememberedItem> executeMany(Connection connection, List<StoredItem> stored)
      throws SQLException {
    List<IncomingItem> arrivals = stored.stream().map(StoredItem::item).toList();
    try (PreparedStatement statement = connection.prepareStatement(MANY)) {
      new Parameters(statement)
          .array("text", arrivals, it -> it.key().tenant())
          .array("text", arrivals, it -> it.key().scope())
          .array("text", arrivals, it -> it.key().value())
          .array("text", arrivals, it -> it.fingerprint().toString())
          .array("int8", arrivals, it -> Parameters.micros(it.provider().retention()))
          .array("text", arrivals, it -> it.correlation().toText())
          .array("text", stored, StoredItem::keptForm)
          .array("int8", stored, StoredItem::keptBytes)
          .byteArrays(stored, StoredItem::kept)
          .array("text", arrivals, it -> Inbox.queueOf(it.provider()))
          .array("text", arrivals, IncomingItem::jobType)
          .array("text", stored, StoredItem::jobKey)
          .byteArrays(stored, it -> it.payload().map(JobPayload::bytes).orElse(null))
          .array("text", stored, it -> it.payload().map(JobPayload::sealedBy).orElse(null));
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
