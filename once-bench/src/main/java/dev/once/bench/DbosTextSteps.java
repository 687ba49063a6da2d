package dev.once.bench;

import java.sql.SQLException;

/** DBOS' ordinary steps, for effects outside the database: run, then recorded. */
record DbosTextSteps(BenchDatabase database, Dbos dbos) implements StepContestant {
  @Override
  public String name() {
    return "DBOS, runStep";
  }

  /** One to start the workflow, one per step, one to end it. */
  @Override
  public int commits() {
    return 1 + STEPS + 1;
  }

  @Override
  public void run() {
    String last = dbos.workflows().texts();
    if (!last.equals(StepContestant.textOf(STEPS - 1))) {
      throw new IllegalStateException("the last step returned " + last);
    }
  }

  @Override
  public long steps() throws SQLException {
    return recorded(database, DbosSteps.TEXT);
  }

  /** Returns the number of recorded steps with a name. */
  static long recorded(BenchDatabase database, String name) throws SQLException {
    return database.number(
        "SELECT count(*) FROM dbos.operation_outputs WHERE function_name = '%s'".formatted(name));
  }
}
