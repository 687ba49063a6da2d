package dev.once.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A SQLite file. Every write is a transaction that is flushed to the disk before it is
 * acknowledged; several processes may share the file, and reads do not wait for writers.
 * Thread-safe.
 */
final class SqliteFile implements AutoCloseable {
  private static final int VERSION = 1;
  private static final int BUSY_MILLIS = 10_000;
  private static final int FULL = 13;
  private static final Pattern STATEMENT_END = Pattern.compile(";\\s*\\n");

  /** SQLite's default. */
  private static final int PAGE_BYTES = 4096;

  private final Path path;
  private final Connection connection;
  private final ReentrantLock lock = new ReentrantLock();

  private SqliteFile(Path path, Connection connection) {
    this.path = path;
    this.connection = connection;
  }

  /** Statements of a transaction. */
  interface Body<T> {
    T run() throws SQLException;
  }

  /** Reads a row. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Opens a file whose size is limited as if the disk were full then. */
  static SqliteFile open(Path path, long maxBytes) {
    try {
      Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path.toAbsolutePath());
      try {
        prepare(connection, path, maxBytes);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
      return new SqliteFile(path, connection);
    } catch (SQLException e) {
      throw failure(path, "opening", e);
    }
  }

  private static void prepare(Connection connection, Path path, long maxBytes) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
      requireIntact(statement, path);
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA synchronous = FULL");
      statement.execute("PRAGMA max_page_count = " + maxBytes / PAGE_BYTES);
      statement.execute("BEGIN IMMEDIATE"); // Another process may be creating the tables.
      try {
        migrate(statement, path);
        statement.execute("COMMIT");
      } catch (SQLException | RuntimeException e) {
        statement.execute("ROLLBACK");
        throw e;
      }
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

  private static String script(String name) {
    try (InputStream in = SqliteFile.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new QueueException("the script " + name + " cannot be read", e);
    }
  }

  Path path() {
    return path;
  }

  /** Runs statements that change something, all or none. */
  <T> T write(String what, Body<T> body) {
    return transaction("BEGIN IMMEDIATE", what, body);
  }

  /** Runs statements that see one state of the file. */
  <T> T read(String what, Body<T> body) {
    return transaction("BEGIN", what, body);
  }

  private <T> T transaction(String begin, String what, Body<T> body) {
    lock.lock();
    try (Statement statement = connection.createStatement()) {
      statement.execute(begin);
      try {
        T result = body.run();
        statement.execute("COMMIT");
        return result;
      } catch (SQLException | RuntimeException | Error e) {
        rollback(statement, e);
        throw e;
      }
    } catch (SQLException e) {
      throw failure(path, what, e);
    } finally {
      lock.unlock();
    }
  }

  private static void rollback(Statement statement, Throwable failure) {
    try {
      statement.execute("ROLLBACK");
    } catch (SQLException e) { // SQLite has rolled back by itself, after a full disk for example.
      failure.addSuppressed(e);
    }
  }

  /** Executes a statement in a transaction, and returns how many rows it changed. */
  int update(String sql, @Nullable Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  /** Executes a query in a transaction. */
  <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      try (ResultSet rows = statement.executeQuery()) {
        List<T> found = new ArrayList<>();
        while (rows.next()) {
          found.add(reader.read(rows));
        }
        return found;
      }
    }
  }

  private static void bind(PreparedStatement statement, @Nullable Object[] values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  /** Returns whether a write failed because there was no space. */
  static boolean isFull(QueueException failure) {
    return failure.getCause() instanceof SQLException e && e.getErrorCode() == FULL;
  }

  private static QueueException failure(Path path, String what, SQLException e) {
    return new QueueException(
        "%s failed, and the queue %s is as it was before: %s".formatted(what, path, e.getMessage()),
        e);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      connection.close();
    } catch (SQLException e) {
      throw failure(path, "closing", e);
    } finally {
      lock.unlock();
    }
  }
}
