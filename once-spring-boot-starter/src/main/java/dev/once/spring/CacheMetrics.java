package dev.once.spring;

import dev.once.redis.NearCache;
import dev.once.redis.NearCache.Stats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** Shows what the near cache is good for, and how much memory it takes. */
final class CacheMetrics implements MeterBinder {
  private final NearCache cache;

  CacheMetrics(NearCache cache) {
    this.cache = cache;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    count(registry, "memory", "hit", Stats::memoryHits);
    count(registry, "memory", "miss", Stats::memoryMisses);
    count(registry, "redis", "hit", Stats::redisHits);
    count(registry, "redis", "miss", Stats::redisMisses);
    count(registry, "redis", "failure", Stats::redisFailures);
    Gauge.builder("once_cache_entries", cache, it -> it.stats().entries())
        .description("Answers in the memory of this node")
        .register(registry);
    Gauge.builder("once_cache_bytes", cache, it -> it.stats().bytes())
        .description("How much memory they take")
        .baseUnit("bytes")
        .register(registry);
  }

  private void count(
      MeterRegistry registry, String tier, String result, ToDoubleFunction<Stats> count) {
    FunctionCounter.builder("once_cache", cache, it -> count.applyAsDouble(it.stats()))
        .description("How often the near cache was asked; Redis only for what memory has not")
        .tag("tier", tier)
        .tag("result", result)
        .register(registry);
  }
}
