package dev.once.gateway;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for a signal, and lets the JVM wait until the program has ended in order. */
final class Ending {
  /** Longer than any drain time that makes sense before a supervisor kills. */
  private static final long MAX_SECONDS = 120;

  private static final CountDownLatch ASKED = new CountDownLatch(1);
  private static final CountDownLatch ENDED = new CountDownLatch(1);

  private Ending() {}

  /** Registers for SIGTERM and SIGINT. */
  static void prepare() {
    Runtime.getRuntime().addShutdownHook(new Thread(Ending::end, "once-end"));
  }

  private static void end() {
    ASKED.countDown();
    try {
      boolean unused = ENDED.await(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns when the process is asked to end. */
  static void await() throws InterruptedException {
    ASKED.await();
  }

  /** Lets the process end. */
  static void ended() {
    ENDED.countDown();
  }
}
