package dev.once.spring;

import dev.once.http.Caller;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps the allowance of each caller, which is refilled steadily. If there are too many callers,
 * the least recently seen ones are forgotten; they start again with a full allowance.
 */
final class RateLimits {
  private final RateLimitProperties settings;
  private final TimeMeter time;
  private final Map<Caller, Bucket> buckets;

  RateLimits(RateLimitProperties settings, TimeMeter time) {
    this.settings = settings;
    this.time = time;
    this.buckets =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Caller, Bucket> eldest) {
            return size() > settings.maxCallers();
          }
        };
  }

  /**
   * Takes one from the caller's allowance; returns zero, or the wait if the allowance is used up.
   */
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
        .withCustomTimePrecision(time)
        .addLimit(
            limit ->
                limit
                    .capacity(settings.requests())
                    .refillGreedy(settings.requests(), settings.per()))
        .build();
  }
}
