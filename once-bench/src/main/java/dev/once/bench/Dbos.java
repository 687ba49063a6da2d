package dev.once.bench;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.txstep.JdbcStepFactory;
import java.io.Closeable;

/**
 * DBOS Transact as one process has it: on virtual threads where Java has them, without admin server
 * and conductor. It keeps one connection of its pool for itself, to listen on.
 */
final class Dbos implements Closeable {
  /** Both fixed, so that a later process takes over what an earlier one has left. */
  private static final String EXECUTOR = "bench";

  private static final String VERSION = "1";

  private final DBOS dbos;
  private final DbosWorkflows workflows;

  private Dbos(DBOS dbos, DbosWorkflows workflows) {
    this.dbos = dbos;
    this.workflows = workflows;
  }

  /**
   * Starts it. It goes on at once with workflows that an earlier process has left.
   *
   * @param life which life of interrupted workflows it is
   */
  static Dbos launch(BenchDatabase database, Life life) {
    DBOS dbos =
        new DBOS(
            DBOSConfig.defaults("once-bench")
                .withDataSource(database.pool())
                .withAppVersion(VERSION)
                .withExecutorId(EXECUTOR));
    DbosSteps steps = new DbosSteps(dbos, new JdbcStepFactory(dbos, database.pool()), life);
    DbosWorkflows workflows = dbos.registerProxy(DbosWorkflows.class, steps);
    dbos.launch();
    return new Dbos(dbos, workflows);
  }

  /** Calls of these are workflows. */
  DbosWorkflows workflows() {
    return workflows;
  }

  /** Begins a workflow, and does not wait for it. */
  void beginInterrupted(String workflow) {
    dbos.startWorkflow(workflows::interrupted, new StartWorkflowOptions(workflow));
  }

  /** What a workflow returned; waits for it. */
  String resultOf(String workflow) throws Exception {
    return String.valueOf(dbos.retrieveWorkflow(workflow).getResult());
  }

  /** How many steps of a workflow are on record. */
  int stepsOf(String workflow) {
    return dbos.listWorkflowSteps(workflow).size();
  }

  @Override
  public void close() {
    dbos.shutdown();
  }
}
