package dev.once.redis;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.spi.RecordWatch;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels of waits that ended while Redis was away. */
@Timeout(60)
class UnusedChannelTest {
  private static final Key KEY = new Key("acme", "orders", "order-42");
  private static final Key OTHER = new Key("acme", "orders", "order-43");

  private final TestRedis redis = TestRedis.start();
  private final RedisRecordStore store = RedisRecordStore.connect(RedisURI.create(redis.uri()));
  private final RedisClient client = TestStores.client(redis);

  @AfterEach
  void stop() {
    store.close();
    client.shutdown();
    redis.close();
  }

  /** The trap: Lettuce subscribes them again with each connection, and they are never ended. */
  @Test
  void areUnsubscribedWithTheNextWaitThatEnds() throws Exception {
    RecordWatch.Watch watch = store.watch(KEY);
    redis.kill();
    TimeUnit.MILLISECONDS.sleep(200); // The client has noticed it.
    watch.close();
    redis.restart();
    Polling.until(this::isConnected);
    RedisCommands<String, String> commands = client.connect().sync();
    Polling.until(() -> commands.pubsubChannels().size() == 1);

    store.watch(OTHER).close();

    Polling.until(() -> commands.pubsubChannels().isEmpty());
  }

  private boolean isConnected() {
    try {
      return store.find(KEY).isEmpty();
    } catch (StoreException e) {
      return false;
    }
  }
}
