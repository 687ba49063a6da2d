package dev.once.workflow;

import org.jspecify.annotations.Nullable;

/**
 * The code of a workflow. It is called again after every wait and every crash, and its calls of the
 * context return what they returned before. So between these calls it has to do the same each time:
 * clocks, random numbers, and reads of anything that changes belong into steps.
 */
@FunctionalInterface
public interface WorkflowFunction<I extends @Nullable Object, O extends @Nullable Object> {
  /**
   * Returns the value of the run.
   *
   * @throws Exception if the run fails; its compensations follow
   */
  O run(WorkflowContext context, I input) throws Exception;
}
