package dev.once.gateway;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for something that happens in its own time. */
final class Waiting {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private Waiting() {}

  static void until(String what, Callable<Boolean> isSo) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isSo.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not happen: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
