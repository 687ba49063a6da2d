package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.DeferredInterrupt;
import dev.once.spi.RecordStore;
import java.util.concurrent.TimeUnit;

/**
 * Sends claims to a store. A claim whose answer was lost is sent again with its token, by which the
 * store recognises it. A claim that gets no answer at all is withdrawn later: the store may have
 * granted it, and no effect runs under that grant.
 */
final class ClaimSender {
  private static final int MAX_TRIES = 3;
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Takes a claim that got no answer and may have been granted. */
  interface Unanswered {
    void take(ClaimRequest request);
  }

  private final RecordStore store;
  private final int maxTries;
  private final Unanswered unanswered;

  private ClaimSender(RecordStore store, int maxTries, Unanswered unanswered) {
    this.store = store;
    this.maxTries = maxTries;
    this.unanswered = unanswered;
  }

  /** For leased effects; {@code unanswered} takes the claims that got no answer. */
  static ClaimSender leased(RecordStore store, Unanswered unanswered) {
    return new ClaimSender(store, MAX_TRIES, unanswered);
  }

  /** For a caller's transaction: a failure breaks it, and its rollback withdraws the claim. */
  static ClaimSender joined(RecordStore store) {
    return new ClaimSender(store, 1, request -> {});
  }

  RecordStore store() {
    return store;
  }

  /**
   * Sends {@code request} until the store answers, with a bounded number of tries.
   *
   * @throws StoreException if the store did not answer
   */
  Claim send(ClaimRequest request) {
    try (DeferredInterrupt interrupt = DeferredInterrupt.begin()) {
      boolean maybeGranted = false;
      for (int tries = 1; ; tries++) {
        try {
          return store.claim(request);
        } catch (StoreException e) {
          maybeGranted |= !(e instanceof StoreUnavailableException);
          boolean interrupted = interrupt.clear();
          if (tries >= maxTries || (!maybeGranted && !interrupted)) {
            if (maybeGranted) {
              unanswered.take(request);
            }
            throw e;
          }
        }
        interrupt.pause(FIRST_PAUSE_NANOS * tries);
      }
    }
  }
}
