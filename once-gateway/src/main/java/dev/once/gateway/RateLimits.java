package dev.once.gateway;

import dev.once.http.Caller;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps the allowance of each caller, which is refilled steadily. If there are too many callers,
 * the least recently seen ones are forgotten; they start again with a full allowance.
 */
final class RateLimits {
  private static final int MAX_CALLERS = 100_000;

  private final RateLimitSettings settings;
  private final Map<Caller, Bucket> buckets =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Caller, Bucket> eldest) {
          return size() > MAX_CALLERS;
        }
      };

  RateLimits(RateLimitSettings settings) {
    this.settings = settings;
  }

  /** Takes one write from the caller's allowance; returns zero, or how long to wait for it. */
  Duration take(Caller caller) {
    ConsumptionProbe probe = bucket(caller).tryConsumeAndReturnRemaining(1);
    return probe.isConsumed()
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(1, probe.getNanosToWaitForRefill()));
  }

  private synchronized Bucket bucket(Caller caller) {
    return buckets.computeIfAbsent(caller, it -> newBucket());
  }

  private Bucket newBucket() {
    return Bucket.builder()
        .addLimit(
            limit ->
                limit
                    .capacity(settings.requests())
                    .refillGreedy(settings.requests(), settings.per()))
        .build();
  }
}
