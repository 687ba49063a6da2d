package dev.once.servlet;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Blocks a thread inside a handler: the test waits until it arrives and then lets it continue. */
final class Gate {
  /** A limit that no passing test reaches. */
  static final int PATIENCE_SECONDS = 10;

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  void pass() {
    reached.countDown();
    await(open, "the gate did not open");
  }

  void awaitReached() {
    await(reached, "no thread reached the gate");
  }

  void open() {
    open.countDown();
  }

  private static void await(CountDownLatch latch, String failure) {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(failure);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted at the gate", e);
    }
  }
}
