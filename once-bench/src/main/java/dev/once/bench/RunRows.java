package dev.once.bench;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A table in which a job or the handling of an event inserts a row each time it runs. It has no
 * unique index on purpose.
 */
record RunRows(BenchDatabase database) implements JobQueue.Effect {
  static final String INSERT = "INSERT INTO run_row (id) VALUES (?)";

  void createTable() {
    database.execute("CREATE TABLE run_row (run bigserial, id text NOT NULL)");
  }

  void clear() {
    database.execute("TRUNCATE run_row RESTART IDENTITY");
  }

  @Override
  public void perform(long job, JobQueue.Lender lender) throws SQLException {
    lender.lend(it -> insert(it, Long.toString(job)));
  }

  static void insert(Connection connection, String id) throws SQLException {
    BenchDatabase.update(connection, INSERT, id);
  }

  /** Returns how many runs have begun to write, including those that were interrupted. */
  long begun() {
    return database.number(
        "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM run_row_run_seq");
  }

  /** Returns how many different ids have left a row. */
  long ids() {
    return database.number("SELECT count(DISTINCT id) FROM run_row");
  }

  /** Returns how many ids have left more than one row. */
  long repeated() {
    return database.number(
        "SELECT count(*) FROM (SELECT FROM run_row GROUP BY id HAVING count(*) > 1) repeated");
  }
}
