package dev.once.jobs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcSchema;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A database of a test class's own, with the tables of jobs and records in it. As an extension it
 * is emptied before each test and closed after the last.
 */
final class JobDatabase implements BeforeEachCallback, AfterAllCallback, AutoCloseable {
  private final DataSource direct;
  private final HikariDataSource pool;
  private final Jobs jobs;

  JobDatabase(String hint) {
    this(EmbeddedPostgres.shared(), hint);
  }

  JobDatabase(EmbeddedPostgres server, String hint) {
    this.direct = server.newDatabase(hint);
    this.pool = poolOf(direct);
    JdbcSchema.apply(pool);
    JobsSchema.apply(pool);
    execute("CREATE TABLE handled (place bigserial, resource text)");
    this.jobs = Jobs.over(pool);
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

  Jobs jobs() {
    return jobs;
  }

  Connection begin(int isolation) throws SQLException {
    Connection connection = pool.getConnection();
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(isolation);
    return connection;
  }

  /** The work of handlers that write: one row in the transaction of each job. */
  static void handle(JobRun run, Connection connection) throws SQLException {
    Sql.execute(
        connection, "INSERT INTO handled (resource) VALUES ('" + run.key().resource() + "')");
  }

  /** Returns the resources of the jobs that were handled, in the order of their rows. */
  List<String> handled() {
    return query("SELECT resource FROM handled ORDER BY place");
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
        Stream.of("run_at", "lease_until", "enqueued_at", "lapsed_at", "began_at", "forget_at")
            .map(column -> column + " = " + column + micros)
            .collect(Collectors.joining(", ", "UPDATE once_job SET ", "")));
    execute(
        "UPDATE once_job_done SET finished_at = finished_at%1$s, keep_until = keep_until%1$s"
            .formatted(micros));
    execute("UPDATE once_job_schedule SET next_at = next_at" + micros);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    execute(
        """
        TRUNCATE once_job, once_job_done, once_job_audit, once_job_schedule, once_job_batch,
          once_job_batch_count, once_record, handled
        """);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    jobs.close();
    pool.close();
  }
}
