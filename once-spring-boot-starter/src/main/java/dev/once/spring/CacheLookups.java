package dev.once.spring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/**
 * The metric {@code once_cache} of one tier.
 *
 * @param cache what is counted; the registry refers to it weakly
 */
record CacheLookups<T>(MeterRegistry registry, String tier, T cache) {
  void count(String result, ToDoubleFunction<T> count) {
    FunctionCounter.builder("once_cache", cache, count)
        .description("Lookups in the near cache; Redis is looked up after a miss in memory")
        .tag("tier", tier)
        .tag("result", result)
        .register(registry);
  }
}
