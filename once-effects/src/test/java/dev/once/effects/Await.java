package dev.once.effects;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other threads do. */
final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Await() {}

  static void latch(CountDownLatch latch, String what) throws InterruptedException {
    assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(what).isTrue();
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
