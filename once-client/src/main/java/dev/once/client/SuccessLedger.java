package dev.once.client;

import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The keys that succeeded within the last 24 hours: they are not sent again. */
final class SuccessLedger {
  /** How long a success and an answer are kept. */
  static final Duration RETENTION = Duration.ofHours(24);

  private static final int PURGED_AT_ONCE = 500;

  private final SqliteFile file;

  SuccessLedger(SqliteFile file) {
    this.file = file;
  }

  boolean hasSucceeded(String key) {
    return file.read("reading a key", () -> contains(key));
  }

  /** Returns whether a key succeeded; in a transaction. */
  boolean contains(String key) throws SQLException {
    return file.exists(
        "SELECT 1 FROM success WHERE key = ? AND at > " + SqliteFile.NOW + " - ?",
        key,
        RETENTION.toMillis());
  }

  void markSuccess(String key) {
    file.write(
        "remembering a key",
        () -> {
          add(key, null);
          return true;
        });
  }

  /** Adds a key in a transaction, with the fingerprint of its request if that is known. */
  void add(String key, @Nullable String fingerprint) throws SQLException {
    file.update(
        "INSERT INTO success (key, fingerprint, at) VALUES (?, ?, "
            + SqliteFile.NOW
            + ") ON CONFLICT (key) DO UPDATE SET at = excluded.at",
        key,
        fingerprint);
  }

  /** Deletes some of the keys that are too old, and returns whether there may be more. */
  boolean purge() {
    return file.write(
            "purging",
            () ->
                file.update(
                    "DELETE FROM success WHERE key IN (SELECT key FROM success WHERE at <= "
                        + SqliteFile.NOW
                        + " - ? LIMIT ?)",
                    RETENTION.toMillis(),
                    PURGED_AT_ONCE))
        == PURGED_AT_ONCE;
  }
}
