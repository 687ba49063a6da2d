package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.testkit.ConcurrentCalls;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis is away for less than a lease while effects run: none runs twice, none is unknown. */
@Timeout(60)
class ShortOutageTest {
  private static final int CALLERS = 10;
  private static final int EFFECTS = 100;
  private static final Terms TERMS =
      Terms.DEFAULT.withLease(Duration.ofSeconds(10)).withMaxWait(Duration.ofSeconds(30));

  private final TestRedis redis = TestRedis.start("appendonly yes", "appendfsync always");
  private final RedisRecordStore store = RedisRecordStore.connect(RedisURI.create(redis.uri()));
  private final Once once = Once.over(store);
  private final Map<Key, Integer> runs = new ConcurrentHashMap<>();
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger next = new AtomicInteger();

  @AfterEach
  void stop() {
    once.close();
    store.close();
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 1_000, 2_000})
  void runsEachEffectOnceWhenTheServerIsKilledAndReturns(int awayMillis) throws Exception {
    runEffectsDuring(
        () -> {
          redis.kill();
          TimeUnit.MILLISECONDS.sleep(awayMillis);
          redis.restart();
          return true;
        });
  }

  @Test
  void runsEachEffectOnceWhenTheServerStandsStill() throws Exception {
    runEffectsDuring(
        () -> {
          redis.pause();
          TimeUnit.SECONDS.sleep(1);
          redis.resume();
          return true;
        });
  }

  private void runEffectsDuring(Callable<Boolean> outage) throws Exception {
    List<Callable<Boolean>> tasks =
        new ArrayList<>(ConcurrentCalls.times(CALLERS, this::runEffects));
    tasks.add(
        () -> {
          Polling.until(() -> started.get() > EFFECTS / 3);
          return outage.call();
        });

    assertThat(ConcurrentCalls.together(tasks)).containsOnly(true);

    assertThat(runs).hasSize(EFFECTS).values().containsOnly(1);
  }

  private boolean runEffects() throws Exception {
    for (int i = next.getAndIncrement(); i < EFFECTS; i = next.getAndIncrement()) {
      Result<@Nullable String> result = runUntilClaimed(new Key("acme", "orders", "order-" + i));
      assertThat(result).isInstanceOfAny(Result.Executed.class, Result.Replayed.class);
    }
    return true;
  }

  /** A call that could not claim its key has not run its effect, and is made again. */
  private Result<@Nullable String> runUntilClaimed(Key key) throws Exception {
    while (true) {
      try {
        return once.run(
            Request.of(key, Codec.text()).withTerms(TERMS),
            execution -> {
              runs.merge(key, 1, Integer::sum);
              started.incrementAndGet();
              TimeUnit.MILLISECONDS.sleep(10);
              return "receipt";
            });
      } catch (StoreException e) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
  }
}
