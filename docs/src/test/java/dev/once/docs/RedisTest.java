package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.redis.RedisRecordStore;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/redis.md. */
class RedisTest {
  private static final String URI = TestRedis.shared().uri();

  @Test
  void executesOnceAndReplays() {
    String uri = URI;
    String receipt;
    // snippet: connect
    Request<@Nullable String> charge =
        Request.of(new Key("acme", "payments", "order-42"), Codec.text());

    try (RedisRecordStore store = RedisRecordStore.connect(RedisURI.create(uri));
        Once once = Once.over(store)) {
      receipt = once.run(charge, execution -> "receipt 1").orThrow();
    }
    // end
    assertThat(receipt).isEqualTo("receipt 1");
  }

  @Test
  void worksOverAClientThatIsThere() {
    String uri = URI;
    // snippet: client
    ClientResources resources = RedisRecordStore.resources().build();
    RedisClient client = RedisClient.create(resources, uri);
    client.setOptions(RedisRecordStore.options());
    RedisRecordStore store =
        RedisRecordStore.builder(client).prefix("shop").timeout(Duration.ofSeconds(1)).build();
    // end
    assertThat(store.find(new Key("acme", "payments", "order-43"))).isEmpty();
    store.close();
    client.shutdown();
    resources.shutdown().awaitUninterruptibly();
  }

  /** The tests of once-redis cover the rest, with a real cluster. */
  private static RedisRecordStore overACluster(ClientResources resources, RedisURI uri) {
    // snippet: cluster
    RedisClusterClient client = RedisClusterClient.create(resources, uri);
    client.setOptions(RedisRecordStore.clusterOptions());
    RedisRecordStore store = RedisRecordStore.over(client);
    // end
    return store;
  }

  @Test
  void worksOverACluster() {
    ClientResources resources = RedisRecordStore.resources().build();
    try (TestRedis redis = TestRedis.start("cluster-enabled yes");
        RedisRecordStore store = overACluster(resources, RedisURI.create(redis.uri()))) {
      assertThat(store).isNotNull();
    }
    resources.shutdown().awaitUninterruptibly();
  }
}
