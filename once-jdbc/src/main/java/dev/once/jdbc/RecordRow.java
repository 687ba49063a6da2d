package dev.once.jdbc;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.StoreUnavailableException;
import dev.once.UnreadableOutcomeException;
import dev.once.spi.Packing;
import dev.once.spi.RecordEntry;
import dev.once.spi.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the columns that claims, finds and lists have in common. */
final class RecordRow {
  /**
   * The format this release writes and the newest it understands. A release that changes the
   * meaning of a row raises it, and first ships able to read the new format while it still writes
   * the old one, so that nodes of both releases can work side by side.
   */
  static final int FORMAT = 1;

  /** A column with the current state: a record becomes uncertain by time, without a write. */
  static final String STATE_NOW =
      """
      CASE WHEN state = 'in_progress' AND recovery = 'ask' AND lease_until <= clock_timestamp()
           THEN 'uncertain' ELSE state END AS state_now
      """;

  private RecordRow() {}

  static void requireKnownFormat(ResultSet row, Key key) throws SQLException {
    int format = row.getInt("format");
    if (format > FORMAT) {
      throw new StoreUnavailableException(
          "the record of %s has format %d, this release knows up to %d: upgrade this node"
              .formatted(key, format, FORMAT),
          null);
    }
  }

  /**
   * Returns the outcome that a completed or failed record replays.
   *
   * @throws UnreadableOutcomeException if it is sealed and cannot be opened, or is damaged
   */
  static Outcome outcome(ResultSet row, Key key, Packing packing) throws SQLException {
    String form = row.getString("body_form");
    byte @Nullable [] bytes = row.getBytes("body");
    if (StoredBody.isSealed(form)) {
      return packing.unpack(key, bytes == null ? new byte[0] : bytes);
    }
    try {
      return new Outcome(
          "failed".equals(row.getString("state")),
          row.getInt("status"),
          Headers.parse(row.getString("headers")),
          StoredBody.payload(form, row.getLong("body_bytes"), bytes));
    } catch (IllegalArgumentException e) {
      throw new UnreadableOutcomeException(
          key, null, "its columns do not fit each other: restore the record from a backup", e);
    }
  }

  static State stateNow(ResultSet row) throws SQLException {
    return State.valueOf(row.getString("state_now").toUpperCase(Locale.ROOT));
  }

  /** Reads a row without its payload; its format must be known. */
  static RecordEntry entry(ResultSet row, Key key) throws SQLException {
    return new RecordEntry(
        key,
        stateNow(row),
        fingerprint(row),
        row.getInt("attempts"),
        instant(row, "created_at"),
        instant(row, "expires_at"));
  }

  static Fingerprint fingerprint(ResultSet row) throws SQLException {
    return Fingerprint.parse(row.getString("fingerprint"));
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  static Headers correlation(ResultSet row) throws SQLException {
    return Headers.parse(row.getString("correlation"));
  }
}
