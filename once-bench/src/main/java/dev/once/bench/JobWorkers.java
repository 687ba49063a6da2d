package dev.once.bench;

/** The running workers of a job queue. */
@FunctionalInterface
interface JobWorkers extends AutoCloseable {
  /** Finishes the running jobs and claims no new ones. */
  @Override
  void close();
}
