package dev.once.spring;

import dev.once.http.Caller;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What each caller may still send. An allowance fills up steadily. Callers that were away longest
 * are forgotten when there are too many; they come back with a full allowance.
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

  /** Takes one from the caller's allowance; zero, or how long to wait until there is one again. */
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
