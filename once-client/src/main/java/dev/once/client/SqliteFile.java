package dev.once.client;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A SQLite file. Every write is a transaction that is flushed to the disk before it is
 * acknowledged; several processes may share the file, and reads do not wait for the writers of
 * other processes. Thread-safe.
 */
final class SqliteFile implements AutoCloseable {
  /** The milliseconds since 1970 by the clock of this device. */
  static final String NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

  private static final int FULL = 13;
  private static final int MAX_KEPT_VALUE_BYTES = 64 << 10;

  private final Path path;
  private final Connection connection;
  private final StatementCache statements;
  private final ReentrantLock lock = new ReentrantLock();

  private SqliteFile(Path path, Connection connection) {
    this.path = path;
    this.connection = connection;
    this.statements = new StatementCache(connection);
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
        SqliteSchema.prepare(connection, path, maxBytes);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
      return new SqliteFile(path, connection);
    } catch (SQLException e) {
      throw failure(path, "opening", e);
    }
  }

  Path path() {
    return path;
  }

  /** Returns the statements that were executed. */
  Set<String> statements() {
    lock.lock();
    try {
      return statements.known();
    } finally {
      lock.unlock();
    }
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
    try {
      update(begin);
      try {
        T result = body.run();
        update("COMMIT");
        return result;
      } catch (SQLException | RuntimeException | Error e) {
        rollback(e);
        throw e;
      }
    } catch (SQLException e) {
      throw failure(path, what, e);
    } finally {
      lock.unlock();
    }
  }

  private void rollback(Throwable failure) {
    statements.closeAll();
    try {
      update("ROLLBACK");
    } catch (SQLException e) { // SQLite has rolled back by itself, after a full disk for example.
      failure.addSuppressed(e);
    }
  }

  /** Executes a statement in a transaction, and returns how many rows it changed. */
  int update(String sql, @Nullable Object... values) throws SQLException {
    boolean isKept = false;
    try {
      int rows = bound(sql, values).executeUpdate();
      isKept = !isAnyLarge(values);
      return rows;
    } finally {
      if (!isKept) {
        statements.close(sql);
      }
    }
  }

  /** Executes a query in a transaction. */
  <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... values)
      throws SQLException {
    boolean isKept = false;
    try (ResultSet rows = bound(sql, values).executeQuery()) {
      List<T> found = new ArrayList<>();
      while (rows.next()) {
        found.add(reader.read(rows));
      }
      isKept = true;
      return found;
    } finally {
      if (!isKept) {
        statements.close(sql);
      }
    }
  }

  /** Executes a query whose first row is enough. */
  <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... values)
      throws SQLException {
    return query(sql, reader, values).stream().findFirst();
  }

  /** Returns whether a query has a row. */
  boolean exists(String sql, @Nullable Object... values) throws SQLException {
    return !query(sql, row -> true, values).isEmpty();
  }

  private PreparedStatement bound(String sql, @Nullable Object[] values) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /** A statement that is kept keeps its values, too. */
  private static boolean isAnyLarge(@Nullable Object[] values) {
    for (Object value : values) {
      if (value instanceof byte[] bytes && bytes.length > MAX_KEPT_VALUE_BYTES) {
        return true;
      }
    }
    return false;
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
      statements.closeAll();
      connection.close();
    } catch (SQLException e) {
      throw failure(path, "closing", e);
    } finally {
      lock.unlock();
    }
  }
}
