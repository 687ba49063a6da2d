package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisURI;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How calls wait for a connection that is lost. */
@Timeout(60)
class ConnectionWaitTest {
  private static final Key KEY = new Key("acme", "orders", "order-42");

  private final TestRedis redis = TestRedis.start();
  private final RedisRecordStore store = RedisRecordStore.connect(RedisURI.create(redis.uri()));

  @AfterEach
  void stop() {
    store.close();
    redis.close();
  }

  /** The trap: the rejected call wakes its own thread, which then never pauses. */
  @Test
  void takesNoProcessorTimeWhileItWaits() throws Exception {
    loseTheConnection();
    long before = processorNanos();

    assertThatThrownBy(() -> store.find(KEY)).isInstanceOf(StoreException.class);

    assertThat(Duration.ofNanos(processorNanos() - before)).isLessThan(Duration.ofMillis(500));
  }

  /** The trap: the end of the first outage leaves a mark by which the second has no patience. */
  @Test
  void waitsInEveryOutage() throws Exception {
    for (int outage = 0; outage < 4; outage++) {
      loseTheConnection();
      CompletableFuture<Boolean> call =
          CompletableFuture.supplyAsync(() -> store.find(KEY).isEmpty());
      TimeUnit.MILLISECONDS.sleep(300);
      redis.restart();

      assertThat(call.get(3, TimeUnit.SECONDS)).as("outage %d", outage).isTrue();
    }
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Kills Redis, and waits so long that the client has noticed it. */
  private void loseTheConnection() throws InterruptedException {
    redis.kill();
    TimeUnit.MILLISECONDS.sleep(200);
  }
}
