package dev.once.jobs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A database of a test class's own, with the tables of jobs and records in it. */
final class JobDatabase implements AutoCloseable {
  private final DataSource direct;
  private final HikariDataSource pool;

  JobDatabase(String hint) {
    this(EmbeddedPostgres.shared(), hint);
  }

  JobDatabase(EmbeddedPostgres server, String hint) {
    this.direct = server.newDatabase(hint);
    this.pool = poolOf(direct);
    JdbcSchema.apply(pool);
    JobsSchema.apply(pool);
  }

  static HikariDataSource poolOf(DataSource database) {
    return poolOf(database, 24);
  }

  static HikariDataSource poolOf(DataSource database, int connections) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  /** Connections straight from the driver. */
  DataSource direct() {
    return direct;
  }

  DataSource dataSource() {
    return pool;
  }

  void execute(String sql) {
    try (Connection connection = pool.getConnection()) {
      execute(connection, sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of every row. */
  List<String> query(String sql) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> column = new ArrayList<>();
      while (rows.next()) {
        column.add(String.valueOf(rows.getString(1)));
      }
      return column;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** The server's clock cannot be set, so every time in the tables moves back instead. */
  void elapse(Duration time) {
    String micros = " - interval '" + time.toNanos() / 1000 + " us'";
    execute(
        "UPDATE once_job SET run_at = run_at"
            + micros
            + ", lease_until = lease_until"
            + micros
            + ", enqueued_at = enqueued_at"
            + micros);
    execute("UPDATE once_job_done SET finished_at = finished_at" + micros);
    execute("UPDATE once_job_schedule SET next_at = next_at" + micros);
  }

  @Override
  public void close() {
    pool.close();
  }
}
