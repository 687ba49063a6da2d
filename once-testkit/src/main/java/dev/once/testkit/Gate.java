package dev.once.testkit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Stops an effect at a chosen point: the test learns that it got there and decides when it
 * continues.
 */
final class Gate {
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  /** Called by the effect: waits until the gate is open. */
  void pass() throws InterruptedException {
    reached.countDown();
    await(open, "the gate did not open");
  }

  /** Like {@link #pass}, for code that must not throw; an interrupt is a failure there. */
  void passUninterrupted() {
    try {
      pass();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted at the gate", e);
    }
  }

  /** Called by the test: waits until the effect is at the gate. */
  void awaitReached() throws InterruptedException {
    await(reached, "no effect reached the gate");
  }

  void open() {
    open.countDown();
  }

  private static void await(CountDownLatch latch, String failure) throws InterruptedException {
    if (!latch.await(Deadline.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("after " + Deadline.PATIENCE + ": " + failure);
    }
  }
}
