package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Waits for another call's result by asking again with growing pauses. Asking changes nothing in
 * the store unless the key became free, in which case the waiting call executes the effect itself.
 */
final class Waiting {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private Waiting() {}

  static Asked ask(Request<?> request, RecordStore store, Admission admission) {
    long deadline = System.nanoTime() + request.terms().maxWait().toNanos();
    Asked asked = admission.ask(request, store);
    long pause = FIRST_PAUSE_NANOS;
    while (asked.claim() instanceof Claim.Held
        && sleep(Math.min(pause, deadline - System.nanoTime()))) {
      asked = admission.ask(request, store);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
    return asked;
  }

  /** Pauses, unless there is no time left or the thread was told to stop waiting. */
  private static boolean sleep(long nanos) {
    if (nanos <= 0) {
      return false;
    }
    try {
      // Up to half off, so that many callers do not ask in step.
      TimeUnit.NANOSECONDS.sleep(nanos - ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
