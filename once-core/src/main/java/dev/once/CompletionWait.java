package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.RecordWatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits for another call's result: claims again after growing pauses, which end early if the store
 * reports changes. Such a claim changes nothing in the store unless the key became free; then the
 * waiting call executes the effect itself.
 */
final class CompletionWait {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** With a watch, claiming again after a pause only covers lost notifications. */
  private static final long LONGEST_WATCH_NANOS = TimeUnit.SECONDS.toNanos(2);

  private CompletionWait() {}

  static ClaimAttempt claim(
      Request<?> request, ClaimSender claims, AdmissionControl admissionControl) {
    long deadline = System.nanoTime() + request.terms().maxWait().toNanos();
    Supplier<ClaimAttempt> claim = () -> admissionControl.claim(request, claims);
    ClaimAttempt claimAttempt = claim.get();
    if (!(claimAttempt.claim() instanceof Claim.Held) || System.nanoTime() >= deadline) {
      return claimAttempt;
    }
    if (!(claims.store() instanceof RecordWatch watching)) {
      return claimAgain(claim, claimAttempt, deadline, new Polling(), LONGEST_PAUSE_NANOS);
    }
    try (RecordWatch.Watch watch = watching.watch(request.key())) {
      // Claims again, to see a change from before the watch began.
      return claimAgain(claim, claim.get(), deadline, watch, LONGEST_WATCH_NANOS);
    }
  }

  private static ClaimAttempt claimAgain(
      Supplier<ClaimAttempt> claim,
      ClaimAttempt first,
      long deadline,
      RecordWatch.Watch watch,
      long longestPause) {
    ClaimAttempt claimAttempt = first;
    long pause = FIRST_PAUSE_NANOS;
    while (claimAttempt.claim() instanceof Claim.Held
        && await(watch, Math.min(pause, deadline - System.nanoTime()))) {
      claimAttempt = claim.get();
      pause = Math.min(2 * pause, longestPause);
    }
    return claimAttempt;
  }

  /** Pauses; returns false if there is no time left or the thread was interrupted. */
  private static boolean await(RecordWatch.Watch watch, long nanos) {
    if (nanos <= 0) {
      return false;
    }
    try {
      // Subtracts up to half at random, so that many callers do not claim in step.
      watch.await(nanos - ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** For stores that report no changes. */
  private static final class Polling implements RecordWatch.Watch {
    @Override
    public void await(long nanos) throws InterruptedException {
      TimeUnit.NANOSECONDS.sleep(nanos);
    }

    @Override
    public void close() {}
  }
}
