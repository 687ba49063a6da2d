package dev.once.jdbc;

import dev.once.Key;
import dev.once.StoreUnavailableException;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a page of the records of one scope, in the order of the primary key. */
final class ListStatement {
  private static final String SQL =
      "SELECT key, format, fingerprint, attempts, created_at, expires_at, "
          + RecordRow.STATE_NOW
          + """
          FROM once_record
          WHERE tenant = ? AND scope = ? AND key > ? AND expires_at > clock_timestamp()
          ORDER BY key
          LIMIT ?
          """;

  private static final int MAX_READS = 10;

  private ListStatement() {}

  /**
   * Returns a page of records. Those that this release cannot read are left out, and must not hide
   * the others: the page is filled with the records behind them.
   */
  static List<RecordEntry> execute(Connection connection, RecordQuery query) throws SQLException {
    List<RecordEntry> entries = new ArrayList<>();
    String after = query.after();
    boolean hasMore = true;
    for (int reads = 0; hasMore && entries.size() < query.limit() && reads < MAX_READS; reads++) {
      int wanted = query.limit() - entries.size();
      int count = 0;
      try (PreparedStatement statement = connection.prepareStatement(SQL)) {
        new Parameters(statement)
            .text(query.tenant())
            .text(query.scope())
            .text(after)
            .number(wanted);
        try (ResultSet rows = statement.executeQuery()) {
          for (; rows.next(); count++) {
            after = rows.getString("key");
            read(rows, query).ifPresent(entries::add);
          }
        }
      }
      hasMore = count == wanted;
    }
    return entries;
  }

  private static Optional<RecordEntry> read(ResultSet row, RecordQuery query) throws SQLException {
    try {
      Key key = new Key(query.tenant(), query.scope(), row.getString("key"));
      RecordRow.requireKnownFormat(row, key);
      return Optional.of(RecordRow.entry(row, key));
    } catch (IllegalArgumentException | StoreUnavailableException e) {
      return Optional.empty(); // Damaged, or of a newer release: a call with its key says so.
    }
  }
}
