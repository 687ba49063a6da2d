package dev.once.client;

import java.sql.SQLException;

/**
 * Refuses operations when the file is too large. The size is read again when enough was added since
 * to come closer to the limit. Used in transactions, which follow each other.
 */
final class SpaceLimit {
  private static final long MAX_UNREAD_BYTES = 1 << 20;

  /** Of the space that is left: several processes may add as much before they read the size. */
  private static final int UNREAD_PART = 8;

  /** What an operation takes beside its request. */
  private static final int ROW_BYTES = 2048;

  private static final String BYTES =
      "SELECT (page_count - freelist_count) * page_size"
          + " FROM pragma_page_count, pragma_freelist_count, pragma_page_size";

  private final SqliteFile file;
  private final long maxBytes;
  private long leftUnread;

  SpaceLimit(SqliteFile file, long maxBytes) {
    this.file = file;
    this.maxBytes = maxBytes;
  }

  void require(long requestBytes) throws SQLException {
    leftUnread -= requestBytes + ROW_BYTES;
    if (leftUnread >= 0) {
      return;
    }
    long bytes = file.first(BYTES, row -> row.getLong(1)).orElseThrow();
    if (bytes > maxBytes) {
      throw new QueueException(
          "the queue %s is full: it has %d bytes, and may have %d; send or drop operations first"
              .formatted(file.path(), bytes, maxBytes),
          null);
    }
    leftUnread = Math.min(MAX_UNREAD_BYTES, (maxBytes - bytes) / UNREAD_PART);
  }
}
