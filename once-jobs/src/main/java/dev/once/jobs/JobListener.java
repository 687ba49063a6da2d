package dev.once.jobs;

/**
 * Is told what happens to jobs. Called on the threads of those who make it happen, so it has to be
 * quick and thread-safe; what it throws goes to the thread's uncaught-exception handler and changes
 * nothing.
 */
@FunctionalInterface
public interface JobListener {
  /** Hears nothing. */
  JobListener NONE = event -> {};

  void on(JobEvent event);
}
