package dev.once.bench;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.txstep.JdbcStepFactory;
import dev.dbos.transact.workflow.Workflow;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/** The workflows for DBOS. Public where DBOS calls them. */
public final class DbosSteps implements DbosWorkflows {
  /** Step names, by which the recorded steps are counted. */
  static final String TEXT = "text";

  static final String ROW = "row";
  static final String LIFE = "life";

  private final DBOS dbos;
  private final JdbcStepFactory transactions;
  private final Life life;

  DbosSteps(DBOS dbos, JdbcStepFactory transactions, Life life) {
    this.dbos = dbos;
    this.transactions = transactions;
    this.life = life;
  }

  @Override
  @Workflow(name = "texts")
  public String texts() {
    String last = "";
    for (int i = 0; i < StepContestant.STEPS; i++) {
      String text = StepContestant.textOf(i);
      last = dbos.<String, RuntimeException>runStep(() -> text, TEXT);
    }
    return last;
  }

  @Override
  @Workflow(name = "rows")
  public String rows() throws SQLException {
    String workflow = Objects.requireNonNull(DBOS.workflowId());
    String last = "";
    for (int i = 0; i < StepContestant.STEPS; i++) {
      int step = i;
      last =
          transactions.<String, SQLException>txStep(
              connection -> {
                StepRows.insert(connection, DbosTransactionalSteps.OWNER, workflow, step);
                return StepContestant.textOf(step);
              },
              ROW);
    }
    return last;
  }

  @Override
  @Workflow(name = "interrupted")
  public String interrupted() throws InterruptedException {
    life.begin();
    String first = dbos.<String, RuntimeException>runStep(life::text, LIFE);
    for (int i = 1; i < Life.STEPS_BEFORE; i++) {
      String text = StepContestant.textOf(i);
      dbos.<String, RuntimeException>runStep(() -> text, LIFE);
    }
    if (life.ends()) {
      life.there();
      new CountDownLatch(1).await(); // A crashed process does not return.
    }
    return dbos.<String, RuntimeException>runStep(
        () -> {
          life.there();
          return first;
        },
        LIFE);
  }
}
