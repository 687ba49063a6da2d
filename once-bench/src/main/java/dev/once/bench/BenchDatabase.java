package dev.once.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.jdbc.JdbcSchema;
import java.io.Closeable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** A database and the connection pool that all contestants share. */
final class BenchDatabase implements Closeable {
  /** The first line of this file is the id of the server's first process. */
  private static final String POSTMASTER_PID =
      "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::bigint";

  private final HikariDataSource pool;

  BenchDatabase(DataSource database, int connections) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(connections);
    this.pool = new HikariDataSource(config);
  }

  /** Creates a database with Once's schema. */
  static BenchDatabase withSchema(DataSource database, int connections) {
    BenchDatabase created = new BenchDatabase(database, connections);
    JdbcSchema.apply(created.pool);
    return created;
  }

  DataSource pool() {
    return pool;
  }

  void execute(String sql) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("failed: " + sql, e);
    }
  }

  /** Lends a connection in auto-commit mode. */
  void lend(JobEffect.Writing writing) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      writing.on(connection);
    }
  }

  /** Returns the number that {@code sql} selects. */
  long number(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** The processor time of this JVM, and of all processes of the server. */
  List<CpuClock> clocks() {
    return List.of(CpuClock.jvm(), serverClock());
  }

  /** The processor time of all processes of the server. */
  CpuClock serverClock() {
    try {
      return new ProcessTree(number(POSTMASTER_PID));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the process id of the server", e);
    }
  }

  /**
   * Updates the planner's statistics and removes old row versions: the state that autovacuum aims
   * at. Empty tables are skipped: a plan made for an empty table and then cached is a bad one
   * later.
   */
  void settle() {
    String tables =
        """
        SELECT string_agg(oid::regclass::text, ', ') FROM pg_class
        WHERE relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
          AND relkind = 'r' AND pg_relation_size(oid) > 0
        """;
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(tables)) {
      row.next();
      execute("VACUUM ANALYZE " + row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot list the tables", e);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
