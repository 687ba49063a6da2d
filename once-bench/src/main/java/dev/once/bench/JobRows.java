package dev.once.bench;

import java.sql.SQLException;

/** A table in which a job inserts a row each time it runs. It has no unique index on purpose. */
record JobRows(BenchDatabase database) implements JobQueue.Effect {
  void createTable() {
    database.execute("CREATE TABLE job_row (run bigserial, job bigint NOT NULL)");
  }

  void clear() {
    database.execute("TRUNCATE job_row RESTART IDENTITY");
  }

  @Override
  public void perform(long job, JobQueue.Lender lender) throws SQLException {
    lender.lend(it -> BenchDatabase.update(it, "INSERT INTO job_row (job) VALUES (?)", job));
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
