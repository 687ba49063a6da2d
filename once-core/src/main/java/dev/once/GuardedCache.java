package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.OutcomeCache;
import java.time.Duration;
import java.util.Optional;

/** The cache as the engine uses it: if the cache fails, the store answers. */
record GuardedCache(OutcomeCache cache) {
  Optional<Claim.Replay> find(Request<?> request) {
    try {
      return cache.find(request.key(), request.fingerprint());
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Caches an outcome that the store has recorded.
   *
   * @param sentNanos the moment before it was sent to the store, whose clock began later
   */
  void keep(Request<?> request, Outcome outcome, Duration retention, long sentNanos) {
    if (outcome.failed()) {
      return;
    }
    try {
      Claim.Replay replay = new Claim.Replay(outcome, request.correlation());
      cache.keep(
          request.key(),
          request.fingerprint(),
          replay,
          () -> retention.minusNanos(System.nanoTime() - sentNanos));
    } catch (RuntimeException e) {
      // The outcome is safe in the store, and the next call finds it there.
    }
  }
}
