package dev.once.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.Closeable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A database and the connection pool that all contestants share. */
final class BenchDatabase implements Closeable {
  /** Takes some seconds: enough to show progress, with a negligible cost per step. */
  private static final long STEP_ROWS = 500_000;

  private static final String URL = "DATABASE_URL";
  private static final String USER = "DATABASE_USER";
  private static final String PASSWORD = "DATABASE_PASSWORD";

  private final PGSimpleDataSource source;
  private final HikariDataSource pool;

  BenchDatabase(PGSimpleDataSource source, int connections) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(connections);
    this.source = source;
    this.pool = new HikariDataSource(config);
  }

  /** Opens the database of {@link #toEnvironment}, in a process that was started with it. */
  static BenchDatabase ofEnvironment(int connections) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(System.getenv(URL));
    source.setUser(System.getenv(USER));
    source.setPassword(System.getenv(PASSWORD));
    return new BenchDatabase(source, connections);
  }

  Map<String, String> toEnvironment() {
    return Map.of(
        URL, source.getURL(),
        USER, Objects.requireNonNull(source.getUser()),
        PASSWORD, Objects.requireNonNull(source.getPassword()));
  }

  /** Returns the database without the pool. */
  PGSimpleDataSource source() {
    return source;
  }

  DataSource pool() {
    return pool;
  }

  interface Writing {
    void on(Connection connection) throws SQLException;
  }

  /** Lends a connection in auto-commit mode. */
  void lend(Writing writing) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      writing.on(connection);
    }
  }

  /**
   * Commits all that is written; an exception rolls it back.
   *
   * @return the time just before the commit
   */
  long inTransaction(Writing writing) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false); // The pool resets it and rolls back.
      writing.on(connection);
      long end = System.nanoTime();
      connection.commit();
      return end;
    }
  }

  /**
   * Fills tables in steps, with their indexes in place as in production.
   *
   * @param inserts INSERT statements for the rows <code>${first}</code> to <code>${last}</code>
   */
  void fill(Session session, String part, long rows, String... inserts) throws SQLException {
    for (long first = 0; first < rows; first += STEP_ROWS) {
      session.say("%s: filling, %,d of %,d rows".formatted(part, first, rows));
      for (String insert : inserts) {
        insertUnflushed(insert, first, Math.min(first + STEP_ROWS, rows) - 1);
      }
    }
    session.say("%s: VACUUM ANALYZE of %,d rows".formatted(part, rows));
    settle();
    execute("CHECKPOINT");
  }

  /** Inserts some rows without a flush to the disk: they are not measured. */
  void insertUnflushed(String insert, long first, long last) throws SQLException {
    inTransaction(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL synchronous_commit = off");
            statement.execute(insert.replace("${first}", "" + first).replace("${last}", "" + last));
          }
        });
  }

  void execute(String sql) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("failed: " + sql, e);
    }
  }

  int update(String sql, Object... values) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return update(connection, sql, values);
    }
  }

  static int update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  /** Returns the first column of the first row that {@code sql} selects; null if there is none. */
  @Nullable Object value(String sql, Object... values) {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      ResultSet row = statement.executeQuery();
      return row.next() ? row.getObject(1) : null;
    } catch (SQLException e) {
      throw new IllegalStateException("failed: " + sql, e);
    }
  }

  long number(String sql, Object... values) {
    return ((Number) Objects.requireNonNull(value(sql, values))).longValue();
  }

  /** Returns the number of Once's completed records for which {@code condition} holds. */
  long completed(String condition) {
    return number("SELECT count(*) FROM once_record WHERE state = 'completed' AND " + condition);
  }

  List<CpuClock> clocks() {
    return List.of(CpuClock.jvm(), serverClock());
  }

  /** The processor time of all processes of the server. */
  CpuClock serverClock() {
    // The first line of this file is the id of the server's first process.
    return CpuClock.processTree(
        number("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::bigint"));
  }

  /**
   * Updates the planner's statistics and removes old row versions: the state that autovacuum aims
   * at. Empty tables are skipped: a plan made for an empty table and then cached is a bad one
   * later.
   */
  void settle() {
    execute(
        "VACUUM ANALYZE "
            + value(
                """
                SELECT string_agg(oid::regclass::text, ', ') FROM pg_class
                WHERE relnamespace NOT IN (
                    'pg_catalog'::regnamespace, 'information_schema'::regnamespace)
                  AND relkind = 'r' AND pg_relation_size(oid) > 0
                """));
  }

  @Override
  public void close() {
    pool.close();
  }
}
