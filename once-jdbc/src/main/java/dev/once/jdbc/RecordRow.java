package dev.once.jdbc;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads the columns that a claim and a find have in common. */
final class RecordRow {
  /**
   * The format this release writes and the newest it understands. A release that changes the
   * meaning of a row raises it, and first ships able to read the new format while it still writes
   * the old one, so that nodes of both releases can work side by side.
   */
  static final int FORMAT = 1;

  private RecordRow() {}

  static void requireKnownFormat(ResultSet row, Key key) throws SQLException {
    int format = row.getInt("format");
    if (format > FORMAT) {
      throw new StoreException(
          "the record of %s has format %d, this release knows up to %d: upgrade this node"
              .formatted(key, format, FORMAT),
          null);
    }
  }

  static Outcome outcome(ResultSet row) throws SQLException {
    Body body =
        new Body(row.getString("body_form"), row.getLong("body_bytes"), row.getBytes("body"));
    return new Outcome(
        "failed".equals(row.getString("state")),
        row.getInt("status"),
        Headers.parse(row.getString("headers")),
        body.toPayload());
  }

  static Headers correlation(ResultSet row) throws SQLException {
    return Headers.parse(row.getString("correlation"));
  }
}
