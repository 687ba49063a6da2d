package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.StoreException;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Redis writes everything to its disk before it answers, and dies by SIGKILL under load. */
@Timeout(60)
class RedisOutageTest {
  private static final int OWNERS = 8;
  private static final int ENOUGH = 300;
  private static final Duration RETENTION = Duration.ofHours(1);

  private final TestRedis redis = TestRedis.start("appendonly yes", "appendfsync always");
  private final Queue<Key> acknowledged = new ConcurrentLinkedQueue<>();

  @AfterEach
  void stop() {
    redis.close();
  }

  @Test
  void losesNothingThatWasAcknowledged() throws Exception {
    try (RedisRecordStore store = connect()) {
      List<Thread> owners = new ArrayList<>();
      for (int i = 0; i < OWNERS; i++) {
        int owner = i;
        owners.add(new Thread(() -> completeUntilItDies(store, owner)));
      }
      owners.forEach(Thread::start);
      while (acknowledged.size() < ENOUGH) {
        Thread.onSpinWait();
      }
      redis.kill();
      for (Thread owner : owners) {
        owner.join();
      }
    }
    redis.restart();

    try (RedisRecordStore store = connect()) {
      assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ENOUGH);
      assertThat(acknowledged)
          .allSatisfy(
              key ->
                  assertThat(store.claim(request(key)))
                      .isEqualTo(new Claim.Replay(outcome(key), Headers.NONE)));
    }
  }

  private void completeUntilItDies(RedisRecordStore store, int owner) {
    try {
      for (int i = 0; i < Integer.MAX_VALUE; i++) {
        Key key = new Key("acme", "orders", owner + "-" + i);
        Claim.Granted grant = (Claim.Granted) store.claim(request(key));
        store.complete(grant, outcome(key), RETENTION);
        acknowledged.add(key);
      }
    } catch (StoreException dead) {
      // As planned.
    }
  }

  private RedisRecordStore connect() {
    return RedisRecordStore.connect(RedisURI.create(redis.uri()));
  }

  private static ClaimRequest request(Key key) {
    return ClaimRequest.of(key, Duration.ofMinutes(1), RETENTION);
  }

  private static Outcome outcome(Key key) {
    return Outcome.completed(Payload.of(key.value().getBytes(StandardCharsets.UTF_8)));
  }
}
