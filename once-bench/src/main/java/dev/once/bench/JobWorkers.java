package dev.once.bench;

/** Workers of a job queue, at work until they are closed. */
@FunctionalInterface
interface JobWorkers extends AutoCloseable {
  /** Lets what runs come to its end and takes nothing new. */
  @Override
  void close();
}
