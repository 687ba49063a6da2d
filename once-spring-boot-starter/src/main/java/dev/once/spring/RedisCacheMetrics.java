package dev.once.spring;

import dev.once.redis.RedisCache;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Reports lookups in the Redis tier of the near cache. */
final class RedisCacheMetrics implements MeterBinder {
  private final RedisCache cache;

  RedisCacheMetrics(RedisCache cache) {
    this.cache = cache;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    CacheLookups<RedisCache> lookups = new CacheLookups<>(registry, "redis", cache);
    lookups.count("hit", it -> it.stats().hits());
    lookups.count("miss", it -> it.stats().misses());
    lookups.count("failure", it -> it.stats().failures());
  }
}
