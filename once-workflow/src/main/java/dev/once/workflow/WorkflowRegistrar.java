package dev.once.workflow;

/**
 * Registers the workflows of an application. The same class serves the application and the check
 * before a deploy, {@code ./once runs check}, which needs a public constructor without parameters.
 */
@FunctionalInterface
public interface WorkflowRegistrar {
  void register(Workflows.Builder workflows);
}
