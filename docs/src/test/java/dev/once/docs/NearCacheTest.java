package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.cache.NearCache;
import dev.once.redis.RedisCache;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/near-cache.md. */
class NearCacheTest {
  private final InMemoryRecordStore store = new InMemoryRecordStore();
  private final Request<@Nullable String> charge =
      Request.of(new Key("acme", "payments", "order-42"), Codec.text());

  @Test
  void keepsOutcomesInMemory() {
    // snippet: memory
    NearCache cache = NearCache.builder().maxBytes(64 << 20).build();
    Once once = Once.builder(store).cache(cache).build();
    // end
    once.run(charge, execution -> "receipt");

    assertThat(once.run(charge, execution -> "again").orThrow()).isEqualTo("receipt");
    assertThat(cache.stats().hits()).isEqualTo(1);
    once.close();
  }

  @Test
  void keepsOutcomesInRedis() {
    String url = TestRedis.shared().uri();
    // snippet: redis
    RedisCache redis = RedisCache.connect(RedisURI.create(url), "production");
    NearCache cache = NearCache.builder().maxAge(Duration.ofSeconds(10)).shared(redis).build();
    // end
    try (Once once = Once.builder(store).cache(cache).build()) {
      once.run(charge, execution -> "receipt");

      assertThat(once.recall(charge)).isPresent();
    }
    redis.close();
  }

  @Test
  void asksBeforeThereIsATransaction() {
    Once once = Once.builder(store).cache(NearCache.builder().build()).build();
    once.run(charge, execution -> "receipt");

    // snippet: recall
    Optional<Result<@Nullable String>> near = once.recall(charge);
    if (near.isPresent()) {
      return; // near.get() is the answer, and no connection was needed
    }
    // end
    throw new AssertionError("not in the cache");
  }

  @Test
  void forgetsBeforeTheStoreDoes() {
    NearCache cache = NearCache.builder().build();
    Once once = Once.builder(store).cache(cache).build();
    once.run(charge, execution -> "receipt");

    // snippet: expire
    cache.forget(charge.key());
    store.expire(charge.key());
    // end

    assertThat(once.run(charge, execution -> "new receipt").orThrow()).isEqualTo("new receipt");
  }
}
