package dev.once.workflow;

import dev.once.OnceException;
import dev.once.steps.RunId;

/**
 * The name of a run belongs to a run of another workflow, or with another input. Nothing was done.
 */
public final class RunMismatchException extends OnceException {
  private static final long serialVersionUID = 1L;

  RunMismatchException(RunId run, Workflow<?, ?> workflow) {
    super(
        "run %s of tenant %s exists with another workflow or input: start %s under another name"
            .formatted(run.value(), run.tenant(), workflow.name()),
        null);
  }
}
