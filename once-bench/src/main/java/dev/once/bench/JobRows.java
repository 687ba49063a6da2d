package dev.once.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A table in which a job inserts a row each time it runs. It has no unique index on purpose. */
record JobRows(BenchDatabase database) implements JobEffect {
  void create() {
    database.execute("CREATE TABLE job_row (run bigserial, job bigint NOT NULL)");
  }

  void clear() {
    database.execute("TRUNCATE job_row RESTART IDENTITY");
  }

  @Override
  public void perform(long job, Lender lender) throws SQLException {
    lender.lend(connection -> insert(job, connection));
  }

  private static void insert(long job, Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO job_row (job) VALUES (?)")) {
      statement.setLong(1, job);
      if (statement.executeUpdate() != 1) {
        throw new IllegalStateException("a job must leave one row");
      }
    }
  }

  /** Returns how many runs have begun to write, including those that were interrupted. */
  long begun() throws SQLException {
    return database.number(
        "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM job_row_run_seq");
  }

  /** Returns how many different jobs have left a row. */
  long jobs() throws SQLException {
    return database.number("SELECT count(DISTINCT job) FROM job_row");
  }

  /** Returns how many jobs have left more than one row. */
  long repeated() throws SQLException {
    return database.number(
        "SELECT count(*) FROM (SELECT job FROM job_row GROUP BY job HAVING count(*) > 1) repeated");
  }
}
