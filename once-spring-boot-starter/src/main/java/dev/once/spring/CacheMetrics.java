package dev.once.spring;

import dev.once.cache.NearCache;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Reports lookups in the memory of the near cache, and how much of it is taken. */
final class CacheMetrics implements MeterBinder {
  private final NearCache cache;

  CacheMetrics(NearCache cache) {
    this.cache = cache;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    CacheLookups<NearCache> lookups = new CacheLookups<>(registry, "memory", cache);
    lookups.count("hit", it -> it.stats().hits());
    lookups.count("miss", it -> it.stats().misses());
    Gauge.builder("once_cache_entries", cache, it -> it.stats().entries())
        .description("Answers in the memory of this node")
        .register(registry);
    Gauge.builder("once_cache_bytes", cache, it -> it.stats().bytes())
        .description("Size of the answers in the memory of this node")
        .baseUnit("bytes")
        .register(registry);
  }
}
