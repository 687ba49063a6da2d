package dev.once.examples.pipeline;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other processes do. */
final class Eventually {
  /** No test needs it to pass: a loaded machine starts processes slowly. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private Eventually() {}

  /** Waits until all of these are done, and fails as they do. */
  static void isDone(String what, CompletableFuture<?>... all) throws Exception {
    CompletableFuture<Void> both = CompletableFuture.allOf(all);
    until(what, both::isDone);
    both.join();
  }

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
