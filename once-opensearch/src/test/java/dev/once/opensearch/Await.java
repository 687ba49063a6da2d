package dev.once.opensearch;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other threads do. */
final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Await() {}

  static void until(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("after " + PATIENCE + " still not: " + what);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
