package dev.once.jobs;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Lets one thread wait until it is told something, or until time is up. Nothing told is lost. */
final class Signal {
  private boolean told;

  synchronized void tell() {
    told = true;
    notifyAll();
  }

  synchronized void await(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    long left = atMost.toNanos();
    while (!told && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = deadline - System.nanoTime();
    }
    told = false;
  }
}
