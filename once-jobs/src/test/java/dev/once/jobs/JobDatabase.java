package dev.once.jobs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcSchema;
import dev.once.testkit.Sql;
import java.time.Duration;
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

  /** Returns connections straight from the driver. */
  DataSource direct() {
    return direct;
  }

  DataSource dataSource() {
    return pool;
  }

  void execute(String sql) {
    new Sql(pool).execute(sql);
  }

  /** Returns the first column of every row. */
  List<String> query(String sql) {
    return new Sql(pool).query(sql);
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
