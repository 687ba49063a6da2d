package dev.once.bench;

/** Background work that runs while a contestant is measured. */
@FunctionalInterface
interface BackgroundWork {
  Running start();

  /** Runs until it is closed. */
  @FunctionalInterface
  interface Running extends AutoCloseable {
    @Override
    void close();
  }
}
