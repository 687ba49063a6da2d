package dev.once.jobs;

/**
 * Receives the events of jobs. Called on the threads that cause them, so it has to be quick and
 * thread-safe; its exceptions go to the thread's uncaught-exception handler and change nothing.
 */
@FunctionalInterface
public interface JobListener {
  /** Ignores all events. */
  JobListener NONE = event -> {};

  void on(JobEvent event);
}
