package dev.once.spring;

import dev.once.jobs.Jobs;
import dev.once.jobs.Workers;
import dev.once.workflow.WorkflowRegistrar;
import dev.once.workflow.Workflows;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;

/** Adds the application's workflows to the workers. */
record WorkflowHandlers(
    ObjectProvider<Workflows> workflows,
    ObjectProvider<WorkflowRegistrar> registrars,
    ObjectProvider<Jobs> jobs)
    implements JobHandlerSource {
  static final String QUEUE = "workflows";

  /** Refuses workflows whose runs could never be continued. */
  @Override
  public boolean isEmpty() {
    boolean isEmpty = registrars.stream().findAny().isEmpty();
    if (!isEmpty && jobs.getIfAvailable() == null) {
      throw new MisconfiguredException(
          "there is a bean of type WorkflowRegistrar, but no database to keep runs in.",
          "Configure spring.datasource.url for a PostgreSQL database, or set"
              + " once.workflows.enabled=false.");
    }
    return isEmpty;
  }

  @Override
  public Stream<String> queues() {
    return isEmpty() ? Stream.empty() : Stream.of(QUEUE);
  }

  @Override
  public void addTo(Workers.Builder workers) {
    if (!isEmpty()) {
      workflows.getObject().addTo(workers);
    }
  }
}
