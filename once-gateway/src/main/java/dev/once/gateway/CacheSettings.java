package dev.once.gateway;

import dev.once.cache.NearCache;
import java.time.Duration;

/**
 * How much of what the store has is in memory too.
 *
 * @param maxBytes how much memory answers may take; 0 for none
 * @param maxAge how long an answer stays, and so how long this gateway may replay one that an
 *     operator has expired elsewhere
 */
record CacheSettings(int maxBytes, Duration maxAge) {
  static final CacheSettings DEFAULT =
      new CacheSettings(
          (int) NearCache.Builder.DEFAULT_MAX_BYTES, NearCache.Builder.DEFAULT_MAX_AGE);

  CacheSettings {
    NearCache.Builder unused = NearCache.builder().maxBytes(maxBytes).maxAge(maxAge);
  }

  NearCache open() {
    return NearCache.builder().maxBytes(maxBytes).maxAge(maxAge).build();
  }
}
