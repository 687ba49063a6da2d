package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.cache.NearCache;
import dev.once.spi.Claim;
import dev.once.testkit.ConcurrentCalls;
import dev.once.testkit.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Redis dies, hangs and loses data during calls, and no caller notices. */
class CacheOutageTest {
  private static final int CALLERS = 8;
  private static final int KEYS = 300;

  private final TestRedis redis = TestRedis.start();
  private final CachedDatabase database = new CachedDatabase("outage", redis);
  private final RedisCache cache = database.newRedisCache(Sealing.NONE);
  private final Once once = Once.builder(database.store()).cache(cache).build();
  private final String series = UUID.randomUUID().toString();
  private final Map<Key, Integer> runs = new ConcurrentHashMap<>();
  private final AtomicInteger calls = new AtomicInteger();

  @AfterEach
  void close() {
    once.close();
    redis.resume();
    database.close();
    redis.close();
  }

  /** What happens to Redis during the calls, and how that ends. */
  enum Trouble {
    KILL {
      @Override
      void begin(CacheOutageTest it) {
        it.redis.kill();
      }

      @Override
      void end(CacheOutageTest it) {
        it.redis.restart();
      }
    },
    PAUSE {
      @Override
      void begin(CacheOutageTest it) {
        it.redis.pause();
      }

      @Override
      void end(CacheOutageTest it) {
        it.redis.resume();
      }
    },
    FLUSH {
      @Override
      void begin(CacheOutageTest it) {
        it.database.commands().flushall();
      }

      @Override
      void end(CacheOutageTest it) {
        it.database.commands().flushall();
      }
    };

    abstract void begin(CacheOutageTest it);

    abstract void end(CacheOutageTest it);
  }

  @ParameterizedTest
  @EnumSource
  void givesEveryCallerTheSameAnswers(Trouble trouble) throws Exception {
    List<Callable<List<String>>> tasks =
        new ArrayList<>(ConcurrentCalls.times(CALLERS, this::callAll));
    tasks.add(
        () -> {
          Polling.until(() -> calls.get() > CALLERS * KEYS / 4);
          trouble.begin(this);
          Polling.until(() -> calls.get() > CALLERS * KEYS * 3 / 4);
          trouble.end(this);
          return expected();
        });

    assertThat(ConcurrentCalls.together(tasks)).containsOnly(expected());

    assertThat(runs).hasSize(KEYS).values().containsOnly(1);
  }

  @Test
  void costsNextToNothingWhileRedisHangs() {
    callAll();
    redis.pause();

    long start = System.nanoTime();
    assertThat(callAll()).isEqualTo(expected());

    // Calling Redis each time would take 50 ms for each of 300 keys.
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(7));
    assertThat(cache.stats().failures()).isBetween(1L, 10L);
  }

  @Test
  void isUsedAgainOnceRedisIsBack() {
    redis.kill();
    callAll();
    redis.restart();

    Polling.until(
        () -> {
          once.run(request(new Key("acme", series, UUID.randomUUID().toString())), it -> "any");
          return database.commands().dbsize() > 0;
        });
  }

  @Test
  void needsNoRedisToBegin() {
    redis.kill();

    NearCache early = database.newCache();
    Once node = Once.builder(database.store()).cache(early).build();
    Request<@Nullable String> request = request(key(0));
    node.run(request, execution -> "receipt");
    assertThat(node.recall(request)).isPresent();

    redis.restart();
    RedisCache elsewhere = database.newRedisCache(Sealing.NONE);
    Polling.until(
        () -> {
          early.keep(
              key(0), request.fingerprint(), replayOf(early, request), () -> Duration.ofDays(1));
          return elsewhere.find(key(0), request.fingerprint()).isPresent();
        });
  }

  @Test
  void doesNotSayThatItHasForgottenWhatRedisStillHas() {
    redis.pause();

    assertThatThrownBy(() -> cache.forget(key(0)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("Redis did not answer");
  }

  private static Claim.Replay replayOf(NearCache cache, Request<?> request) {
    return cache.find(request.key(), request.fingerprint()).orElseThrow();
  }

  private List<String> callAll() {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      answers.add(String.valueOf(once.run(request(key(i)), it -> charge(it.key())).orThrow()));
      calls.incrementAndGet();
    }
    return answers;
  }

  private String charge(Key key) {
    runs.merge(key, 1, Integer::sum);
    return "receipt for " + key.value();
  }

  private List<String> expected() {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      answers.add("receipt for " + key(i).value());
    }
    return answers;
  }

  private Key key(int number) {
    return new Key("acme", series, String.valueOf(number));
  }

  private static Request<@Nullable String> request(Key key) {
    return Request.of(key, Codec.text())
        .withTerms(Terms.DEFAULT.withMaxWait(Duration.ofSeconds(30)));
  }
}
