package dev.once.jdbc;

import dev.once.Key;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

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

  private ListStatement() {}

  static List<RecordEntry> execute(Connection connection, RecordQuery query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(query.tenant())
          .text(query.scope())
          .text(query.after())
          .number(query.limit());
      try (ResultSet rows = statement.executeQuery()) {
        List<RecordEntry> entries = new ArrayList<>();
        while (rows.next()) {
          entries.add(read(rows, new Key(query.tenant(), query.scope(), rows.getString("key"))));
        }
        return entries;
      }
    }
  }

  private static RecordEntry read(ResultSet row, Key key) throws SQLException {
    RecordRow.requireKnownFormat(row, key);
    return new RecordEntry(
        key,
        RecordRow.stateNow(row),
        RecordRow.fingerprint(row),
        row.getInt("attempts"),
        RecordRow.instant(row, "created_at"),
        RecordRow.instant(row, "expires_at"));
  }
}
