package dev.once.bench;

/** Something that goes on while others are measured. */
@FunctionalInterface
interface Beside {
  Running start();

  /** Goes on until it is closed. */
  @FunctionalInterface
  interface Running extends AutoCloseable {
    @Override
    void close();
  }
}
