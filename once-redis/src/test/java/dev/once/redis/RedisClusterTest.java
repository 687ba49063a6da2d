package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same through a cluster's client. One node has all slots: what matters is how keys are used.
 */
@Timeout(60)
class RedisClusterTest {
  private final TestRedis redis = TestRedis.start("cluster-enabled yes");
  private final RedisClusterClient client =
      RedisClusterClient.create(TestStores.RESOURCES, redis.uri());

  @BeforeEach
  void form() {
    client.setOptions(RedisRecordStore.clusterOptions());
    try (RedisClient node = RedisClient.create(redis.uri())) {
      RedisCommands<String, String> commands = node.connect().sync();
      commands.clusterAddSlots(IntStream.range(0, 16_384).toArray());
      while (!commands.clusterInfo().contains("cluster_state:ok")) {
        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      }
    }
  }

  @AfterEach
  void stop() {
    client.shutdown();
    redis.close();
  }

  @Test
  void executesOnceAndReplays() {
    try (RedisRecordStore store = RedisRecordStore.over(client);
        Once once = Once.over(store)) {
      for (int i = 0; i < 20; i++) {
        Key key = new Key("acme", "orders", "order-" + i);
        Request<@Nullable String> charge = Request.of(key, Codec.text());

        assertThat(once.run(charge, execution -> "receipt")).isInstanceOf(Result.Executed.class);
        assertThat(once.run(charge, execution -> "again").orThrow()).isEqualTo("receipt");
      }
    }
  }
}
