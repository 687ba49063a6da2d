package dev.once.spring;

import dev.once.redis.NearCache;
import dev.once.redis.NearCache.Stats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** Reports lookups in the near cache by result, and how much memory it takes. */
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
        .description("Size of the answers in the memory of this node")
        .baseUnit("bytes")
        .register(registry);
  }

  private void count(
      MeterRegistry registry, String tier, String result, ToDoubleFunction<Stats> count) {
    FunctionCounter.builder("once_cache", cache, it -> count.applyAsDouble(it.stats()))
        .description("Lookups in the near cache; Redis is looked up after a miss in memory")
        .tag("tier", tier)
        .tag("result", result)
        .register(registry);
  }
}
