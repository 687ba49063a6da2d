package dev.once.examples.offline;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for the effects of another thread or process. */
final class Polling {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long PAUSE_MILLIS = 5;

  private Polling() {}

  static void until(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it did not happen within " + LIMIT);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }
}
