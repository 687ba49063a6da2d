package dev.once.bench;

import java.sql.SQLException;

/**
 * DBOS' transactional steps: the step's row and its output in one commit, then the step's record.
 */
record DbosTransactionalSteps(BenchDatabase database, Dbos dbos) implements StepContestant {
  static final String OWNER = "dbos";

  @Override
  public String name() {
    return "DBOS, txStep";
  }

  /** Each step commits its row with its output, and then its record. */
  @Override
  public int commits() {
    return 1 + 2 * STEPS + 1;
  }

  @Override
  public void run() throws SQLException {
    String last = dbos.workflows().rows();
    if (!last.equals(StepContestant.textOf(STEPS - 1))) {
      throw new IllegalStateException("the last step returned " + last);
    }
  }

  @Override
  public long steps() throws SQLException {
    long records = DbosTextSteps.recorded(database, DbosSteps.ROW);
    long rows = new StepRows(database).of(OWNER);
    if (rows != records) {
      throw new IllegalStateException("%d rows for %d steps".formatted(rows, records));
    }
    return records;
  }
}
