package dev.once.spring;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Blocks a handler until a test opens the gate. */
final class Gate {
  private static final int PATIENCE_SECONDS = 30;

  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  /** Blocks the handler that calls it. */
  void pass() {
    entered.countDown();
    await(open);
  }

  /** Waits until a handler is blocked. */
  void awaitEntered() {
    await(entered);
  }

  void open() {
    open.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nothing happened within " + PATIENCE_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted at the gate", e);
    }
  }
}
