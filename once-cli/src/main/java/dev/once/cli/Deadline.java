package dev.once.cli;

import java.time.Duration;
import java.util.Optional;

/** The end of the time that a command has; it may have any. */
record Deadline(long startNanos, Optional<Duration> timeout) {
  boolean isOver() {
    return timeout.filter(it -> System.nanoTime() - startNanos > it.toNanos()).isPresent();
  }
}
