package dev.once.effects;

import dev.once.events.Aggregate;
import dev.once.events.EventEffect;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** The contract of effects, on a Redis that writes everything to its disk. */
class RedisEntryContractTest extends EffectContract {
  @Override
  EffectTarget newTarget() {
    return new RedisTarget();
  }

  private static final class RedisTarget implements EffectTarget {
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** A slow machine has to get something done between them. */
    private static final int FAULTS = 8;

    private final TestRedis redis = TestRedis.start("appendonly yes", "appendfsync always");
    private final RedisClient client = RedisClient.create(redis.uri());
    private final List<RedisEntryEffect> effects = new ArrayList<>();
    private Thread failing = new Thread(() -> {});
    private volatile boolean isFailing;

    @Override
    public EventEffect newEffect() {
      RedisEntryEffect effect =
          RedisEntryEffect.builder(client, "orders")
              .timeout(Duration.ofMillis(300))
              .build(TestEvents::map);
      effects.add(effect);
      return effect;
    }

    @Override
    public Optional<String> state(String order) {
      String key = effects.get(0).keyOf(new Aggregate("order", order));
      try (StatefulRedisConnection<String, String> connection = client.connect()) {
        return Optional.ofNullable(connection.sync().hget(key, "value"));
      }
    }

    @Override
    public HeldCall hold() {
      redis.pause();
      return new HeldCall() {
        @Override
        public void awaitArrival() {} // A stopped server does not say what it has received.

        @Override
        public void release() {
          redis.resume();
        }
      };
    }

    /** Stops, restarts and empties the caches of the server while events come. */
    @Override
    public void fail(Random random) {
      isFailing = true;
      failing =
          new Thread(
              () -> {
                for (int i = 0; i < FAULTS && isFailing; i++) {
                  failOnce(random.nextInt(2));
                  LockSupport.parkNanos(PAUSE.toNanos());
                }
              });
      failing.start();
    }

    private void failOnce(int kind) {
      if (kind == 0) {
        redis.kill();
        redis.restart(); // It has forgotten its scripts.
      } else {
        redis.pause();
        LockSupport.parkNanos(PAUSE.toNanos());
        redis.resume();
      }
    }

    @Override
    public void heal() throws InterruptedException {
      isFailing = false;
      failing.join();
    }

    @Override
    public void close() {
      effects.forEach(RedisEntryEffect::close);
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      redis.close();
    }
  }
}
