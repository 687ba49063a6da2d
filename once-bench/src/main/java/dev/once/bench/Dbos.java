package dev.once.bench;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.txstep.JdbcStepFactory;
import dev.dbos.transact.workflow.Workflow;
import java.io.Closeable;
import java.sql.SQLException;
import java.util.Objects;

/**
 * DBOS Transact in one process: on virtual threads where Java has them, without admin server and
 * conductor. It reserves one connection of its pool for LISTEN.
 */
public final class Dbos implements Closeable {
  // Step names, by which the recorded steps are counted.
  private static final String TEXT = "text";
  private static final String ROW = "row";
  private static final String OWNER = "dbos";

  private final BenchDatabase database;
  private final DBOS dbos;
  private final Workflows workflows;

  private Dbos(BenchDatabase database, DBOS dbos, Workflows workflows) {
    this.database = database;
    this.dbos = dbos;
    this.workflows = workflows;
  }

  static Dbos launch(BenchDatabase database) {
    DBOS dbos =
        new DBOS(
            DBOSConfig.defaults("once-bench")
                .withDataSource(database.pool())
                .withAppVersion("1")
                .withExecutorId("bench"));
    Steps steps = new Steps(dbos, new JdbcStepFactory(dbos, database.pool()));
    Workflows workflows = dbos.registerProxy(Workflows.class, steps);
    dbos.launch();
    return new Dbos(database, dbos, workflows);
  }

  /** For effects outside the database: run, then recorded. The workflow's start and end commit. */
  Contestant<StepsBenchmark.Workflow> texts() {
    return new Contestant<>(
        "DBOS, runStep",
        "1 commit per step, 2 per workflow",
        new StepsBenchmark.Workflow(
            it -> requireLast(workflows.texts(it), it), () -> recorded(TEXT)));
  }

  /** Each step commits its row with its output, and then its record. */
  Contestant<StepsBenchmark.Workflow> rows() {
    return new Contestant<>(
        "DBOS, txStep",
        "2 commits per step, 2 per workflow",
        new StepsBenchmark.Workflow(
            it -> requireLast(workflows.rows(it), it),
            () -> StepsBenchmark.requireRows(database, OWNER, recorded(ROW))));
  }

  private static void requireLast(String last, int steps) {
    if (!last.equals(StepsBenchmark.textOf(steps - 1))) {
      throw new IllegalStateException("the last step returned " + last);
    }
  }

  private long recorded(String step) {
    return database.number(
        "SELECT count(*) FROM dbos.operation_outputs WHERE function_name = ?", step);
  }

  @Override
  public void close() {
    dbos.shutdown();
  }

  /** The workflows. Public because DBOS creates a proxy of it. */
  public interface Workflows {
    /** Steps that return a short text. */
    String texts(int steps);

    /** Steps that write a row each, in the transaction that records them. */
    String rows(int steps) throws SQLException;
  }

  /** Their steps. Public where DBOS calls them. */
  public static final class Steps implements Workflows {
    private final DBOS dbos;
    private final JdbcStepFactory transactions;

    Steps(DBOS dbos, JdbcStepFactory transactions) {
      this.dbos = dbos;
      this.transactions = transactions;
    }

    @Override
    @Workflow(name = "texts")
    public String texts(int steps) {
      String last = "";
      for (int i = 0; i < steps; i++) {
        String text = StepsBenchmark.textOf(i);
        last = dbos.<String, RuntimeException>runStep(() -> text, TEXT);
      }
      return last;
    }

    @Override
    @Workflow(name = "rows")
    public String rows(int steps) throws SQLException {
      String workflow = Objects.requireNonNull(DBOS.workflowId());
      String last = "";
      for (int i = 0; i < steps; i++) {
        int step = i;
        last =
            transactions.<String, SQLException>txStep(
                connection -> {
                  StepsBenchmark.insertRow(connection, OWNER, workflow, step);
                  return StepsBenchmark.textOf(step);
                },
                ROW);
      }
      return last;
    }
  }
}
