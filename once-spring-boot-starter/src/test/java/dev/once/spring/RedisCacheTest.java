package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.cache.NearCache;
import dev.once.redis.RedisCache;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The near cache with Redis, as an operator sees it. */
class RedisCacheTest {
  private static final TestRedis REDIS = TestRedis.start();
  private static final String PAYMENTS = "api:/payments/{id}";
  private static final OpsApp APP =
      OpsApp.start(
          "once.cache.enabled=true",
          "once.cache.redis=true",
          "once.cache.max-size=0",
          "once.redis.url=" + REDIS.uri(),
          "management.endpoints.web.exposure.include=*");

  @AfterAll
  static void stop() {
    APP.close();
    REDIS.close();
  }

  // D11
  @Test
  void countsWhatComesFromWhere() {
    NearCache.Stats memory = APP.bean(NearCache.class).stats();
    RedisCache.Stats redis = APP.bean(RedisCache.class).stats();
    APP.post("/payments/1", "acme", "counted", "{}");
    APP.post("/payments/1", "acme", "counted", "{}");

    MeterRegistry registry = APP.bean(MeterRegistry.class);
    assertThat(count(registry, "redis", "hit")).isEqualTo(redis.hits() + 1);
    assertThat(count(registry, "redis", "miss")).isEqualTo(redis.misses() + 1);
    assertThat(count(registry, "redis", "failure")).isEqualTo(redis.failures());
    assertThat(count(registry, "memory", "hit")).isZero();
    assertThat(count(registry, "memory", "miss")).isEqualTo(memory.misses() + 2);
    assertThat(registry.get("once_cache_entries").gauge().value()).isZero();
    assertThat(registry.get("once_cache_bytes").gauge().value()).isZero();
  }

  @Test
  void forgetsWhatAnOperatorExpires() {
    APP.post("/payments/1", "acme", "forget", "{}");

    assertThat(expire("forget").body()).contains("\"changed\":true");

    HttpResponse<String> next = APP.post("/payments/1", "acme", "forget", "{}");
    assertThat(next.statusCode()).isEqualTo(201);
    assertThat(next.headers().firstValue("Idempotency-Replayed")).isEmpty();
  }

  @Test
  void expiresNothingThatTheCacheCannotForget() {
    APP.post("/payments/1", "acme", "stays", "{}");

    REDIS.pause();
    try {
      assertThat(expire("stays").statusCode()).isEqualTo(500);
      assertThat(APP.state("stays")).isEqualTo("completed");
    } finally {
      REDIS.resume();
    }
  }

  @Test
  void isWellWithoutRedis() {
    REDIS.pause();
    try {
      assertThat(APP.get("/actuator/health").body()).contains("\"status\":\"UP\"");
      assertThat(APP.post("/payments/1", "acme", "well", "{}").statusCode()).isEqualTo(201);
    } finally {
      REDIS.resume();
    }
  }

  @Test
  void sealsWhatItKeepsInRedis() {
    try (OpsApp sealed =
            OpsApp.start(
                "once.cache.enabled=true",
                "once.cache.redis=true",
                "once.cache.max-size=0",
                "once.redis.url=" + REDIS.uri(),
                "once.redis.environment=sealed",
                "once.sealing.current=k1",
                "once.sealing.keys.k1=" + "A".repeat(43) + "=");
        RedisClient client = RedisClient.create(REDIS.uri())) {
      // The cache is left out of a call if Redis takes too long, as on a busy machine.
      RedisCache cache = sealed.bean(RedisCache.class);
      Polling.until(
          () -> {
            sealed.post("/payments/1", "acme", "secret", "{}");
            return cache.stats().hits();
          },
          hits -> hits > 0);

      RedisCommands<String, String> redis = client.connect().sync();
      List<String> names = redis.keys("idempo:sealed:acme:*");
      assertThat(names).hasSize(1);
      assertThat(redis.get(names.get(0))).doesNotContain("created");
    }
  }

  private static HttpResponse<String> expire(String key) {
    String body =
        new JsonMapper()
            .writeValueAsString(
                Map.of(
                    "action",
                    "expire",
                    "tenant",
                    "acme",
                    "scope",
                    PAYMENTS,
                    "key",
                    key,
                    "reason",
                    "ticket 1"));
    return OpsApp.send(APP.posted("/actuator/once", "acme", "olga", "unused", body).build());
  }

  private static long count(MeterRegistry registry, String tier, String result) {
    FunctionCounter counter =
        registry.get("once_cache").tag("tier", tier).tag("result", result).functionCounter();
    return (long) counter.count();
  }
}
