package dev.once.examples.offline;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for the effects of another thread or process. */
final class Polling {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Polling() {}

  static void until(BooleanSupplier condition) {
    if (!holdsWithin(LIMIT, condition)) {
      throw new AssertionError("it did not happen within " + LIMIT);
    }
  }

  /** Returns as soon as the condition holds, or false after a time. */
  static boolean holdsWithin(Duration time, BooleanSupplier condition) {
    long deadline = System.nanoTime() + time.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return true;
  }
}
