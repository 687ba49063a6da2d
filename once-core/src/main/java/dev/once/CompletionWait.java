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

  /** Claims the key, and again while it is held. */
  static ClaimAttempt claim(
      Request<?> request, ClaimSender claims, AdmissionControl admissionControl) {
    long started = System.nanoTime();
    ClaimAttempt first = admissionControl.claim(request, claims);
    return first.claim() instanceof Claim.Held
        ? claimAgain(first, started, request, claims, admissionControl)
        : first;
  }

  /** Claims again after a claim that found the key held, which was sent at {@code started}. */
  static ClaimAttempt claimAgain(
      ClaimAttempt held,
      long started,
      Request<?> request,
      ClaimSender claims,
      AdmissionControl admissionControl) {
    long deadline = started + request.terms().maxWait().toNanos();
    if (System.nanoTime() - deadline >= 0) {
      return held;
    }
    Supplier<ClaimAttempt> claim = () -> admissionControl.claim(request, claims);
    if (!(claims.store() instanceof RecordWatch watching)) {
      return claimAgain(claim, held, deadline, new Polling(), LONGEST_PAUSE_NANOS);
    }
    try (RecordWatch.Watch watch = watching.watch(request.key())) {
      // The first pause is short, because the record may have changed before the watch began.
      return claimAgain(claim, held, deadline, watch, LONGEST_WATCH_NANOS);
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
