package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.workflow.WorkflowRegistrar;
import dev.once.workflow.Workflows;
import dev.once.workflow.WorkflowsSchema;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The database of the runs, and the queue of the jobs that continue them. */
final class WorkflowOptions {
  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--job-queue")
  private String queue = "workflows";

  /** Opens the runs, without the code of any workflow. */
  OpenWorkflows open(Session session) {
    return open(session, none -> {});
  }

  OpenWorkflows open(Session session, WorkflowRegistrar registrar) {
    HikariDataSource pool =
        database.open(
            session,
            "the tables of workflows",
            it -> {
              JobsSchema.check(it);
              WorkflowsSchema.check(it);
            });
    try {
      Jobs jobs = Jobs.over(pool);
      Workflows.Builder workflows = Workflows.builder(jobs).queue(queue);
      registrar.register(workflows);
      return new OpenWorkflows(workflows.build(), jobs, pool);
    } catch (RuntimeException | Error e) {
      pool.close();
      throw e;
    }
  }
}
