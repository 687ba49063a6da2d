package dev.once.jobs;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Blocks one thread until it is signalled, or until the time has passed. A signal before the wait
 * is not lost.
 */
final class Signal {
  private boolean signalled;

  synchronized void signal() {
    signalled = true;
    notifyAll();
  }

  synchronized void await(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    long left = atMost.toNanos();
    while (!signalled && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = deadline - System.nanoTime();
    }
    signalled = false;
  }
}
