package dev.once.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread or process does, without a signal of its own. */
final class Eventually {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Eventually() {}

  interface Check {
    boolean holds() throws Exception;
  }

  static void waitFor(Check check) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!check.holds()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("it did not happen within " + LIMIT);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
