package dev.once.workflow;

import org.jspecify.annotations.Nullable;

/** One of several pieces of a workflow that run at the same time, each on a thread of its own. */
@FunctionalInterface
public interface Branch<T extends @Nullable Object> {
  /** Runs with {@code context}; the context of the whole run must not be used here. */
  T run(WorkflowContext context) throws Exception;
}
