package dev.once.bench;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.txstep.JdbcStepFactory;
import java.io.Closeable;

/**
 * DBOS Transact in one process: on virtual threads where Java has them, without admin server and
 * conductor. It reserves one connection of its pool for LISTEN.
 */
final class Dbos implements Closeable {
  /** Both are fixed, so that a later process recovers the workflows of an earlier one. */
  private static final String EXECUTOR = "bench";

  private static final String VERSION = "1";

  private final DBOS dbos;
  private final DbosWorkflows workflows;

  private Dbos(DBOS dbos, DbosWorkflows workflows) {
    this.dbos = dbos;
    this.workflows = workflows;
  }

  /**
   * Starts DBOS. It immediately recovers workflows that an earlier process left unfinished.
   *
   * @param life the life of the interrupted workflows
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

  /** Returns the proxy: each call of its methods is a workflow. */
  DbosWorkflows workflows() {
    return workflows;
  }

  /** Starts a workflow without waiting for its end. */
  void beginInterrupted(String workflow) {
    dbos.startWorkflow(workflows::interrupted, new StartWorkflowOptions(workflow));
  }

  /** Waits for a workflow and returns its result. */
  String resultOf(String workflow) throws Exception {
    return String.valueOf(dbos.retrieveWorkflow(workflow).getResult());
  }

  /** Returns the number of recorded steps of a workflow. */
  int stepsOf(String workflow) {
    return dbos.listWorkflowSteps(workflow).size();
  }

  @Override
  public void close() {
    dbos.shutdown();
  }
}
