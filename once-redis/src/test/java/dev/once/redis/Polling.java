package dev.once.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition that another thread brings about. */
final class Polling {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Polling() {}

  static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("nothing happened for " + PATIENCE);
      }
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }
}
