package dev.once.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Makes a wait that would never end fail. No test needs it to pass. */
record Deadline(long nanos) {
  static final Duration PATIENCE = Duration.ofSeconds(10);

  static Deadline start() {
    return new Deadline(System.nanoTime() + PATIENCE.toNanos());
  }

  /** How long to wait at most from now, and at least one millisecond. */
  long leftMillis(Supplier<String> failure) {
    long left = nanos - System.nanoTime();
    if (left <= 0) {
      throw new AssertionError("after " + PATIENCE + ": " + failure.get());
    }
    return 1 + TimeUnit.NANOSECONDS.toMillis(left);
  }
}
