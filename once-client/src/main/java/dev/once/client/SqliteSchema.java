package dev.once.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;

/** How a SQLite file is written, and its tables, which are brought to this release's version. */
final class SqliteSchema {
  private static final int VERSION = 1;
  private static final int BUSY_MILLIS = 10_000;
  private static final Pattern STATEMENT_END = Pattern.compile(";\\s*\\n");

  /** Operations change the same pages of the indexes again and again. */
  private static final int PAGES_BEFORE_CHECKPOINT = 4000;

  /** SQLite's default. */
  private static final int PAGE_BYTES = 4096;

  private SqliteSchema() {}

  static void prepare(Connection connection, Path path, long maxBytes) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
      requireIntact(statement, path);
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA synchronous = FULL");
      statement.execute("PRAGMA wal_autocheckpoint = " + PAGES_BEFORE_CHECKPOINT);
      statement.execute("BEGIN IMMEDIATE"); // Another process may be creating the tables.
      try {
        migrate(statement, path);
        statement.execute("COMMIT");
      } catch (SQLException | RuntimeException e) {
        statement.execute("ROLLBACK");
        throw e;
      }
      // A migration may need more, for a moment.
      statement.execute("PRAGMA max_page_count = " + maxBytes / PAGE_BYTES);
    }
  }

  private static void requireIntact(Statement statement, Path path) throws SQLException {
    try (ResultSet row = statement.executeQuery("PRAGMA quick_check(1)")) {
      String found = row.next() ? row.getString(1) : "no answer";
      if (!"ok".equals(found)) {
        throw new QueueException(
            "the queue %s is damaged (%s): nothing was changed; copy the file and its -wal before you try to recover it"
                .formatted(path, found),
            null);
      }
    }
  }

  private static void migrate(Statement statement, Path path) throws SQLException {
    int version;
    try (ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      version = row.getInt(1);
    }
    if (version > VERSION) {
      throw new QueueException(
          "the queue " + path + " was written by a newer release: update this program", null);
    }
    for (int next = version + 1; next <= VERSION; next++) {
      for (String sql : STATEMENT_END.splitAsStream(script("V" + next + "__queue.sql")).toList()) {
        statement.execute(sql);
      }
      statement.execute("PRAGMA user_version = " + next);
    }
  }

  /** Returns a script whose statements end at the ends of lines, and nothing else does. */
  private static String script(String name) {
    try (InputStream in = SqliteSchema.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new QueueException("the script " + name + " cannot be read", e);
    }
  }
}
