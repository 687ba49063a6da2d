package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.jobs.Jobs;
import dev.once.workflow.Runs;
import dev.once.workflow.Workflows;

/** Workflows and their connections. */
record OpenWorkflows(Workflows workflows, Jobs jobs, HikariDataSource pool)
    implements AutoCloseable {
  Runs runs() {
    return workflows.runs();
  }

  @Override
  public void close() {
    workflows.close();
    jobs.close();
    pool.close();
  }
}
