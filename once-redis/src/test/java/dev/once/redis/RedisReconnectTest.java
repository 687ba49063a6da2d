package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import dev.once.spi.RecordWatch;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server returns after seconds, and every connection to it within one more. */
@Timeout(60)
class RedisReconnectTest {
  /** By then Lettuce's own delay has grown to four seconds, of which two would be left. */
  private static final Duration AWAY = Duration.ofSeconds(6);

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Key KEY = new Key("acme", "orders", "order-42");

  private final TestRedis redis = TestRedis.start();
  private final RedisURI uri = RedisURI.create(redis.uri());
  private final RedisRecordStore store = RedisRecordStore.connect(uri);
  private final RedisClient client = TestStores.client(redis);
  private final RedisRecordStore overClient = RedisRecordStore.over(client);
  private final RedisCache cache = RedisCache.connect(uri, "test");

  @AfterEach
  void stop() {
    store.close();
    overClient.close();
    cache.close();
    client.shutdown();
    redis.close();
  }

  @Test
  void connectsAgainWithinASecondOfTheServersReturn() throws Exception {
    try (RecordWatch.Watch watch = store.watch(KEY)) {
      redis.kill();
      TimeUnit.NANOSECONDS.sleep(AWAY.toNanos());

      redis.restart();
      long returned = System.nanoTime();

      awaitSuccess(() -> store.find(KEY).isEmpty());
      awaitSuccess(() -> overClient.find(KEY).isEmpty());
      awaitSuccess(this::forgets);
      assertThat(Duration.ofNanos(System.nanoTime() - returned)).isLessThan(SOON);
      RedisCommands<String, String> commands = client.connect().sync();
      Polling.until(() -> commands.publish("once:acme:orders:order-42", "") == 1);
      assertThat(Duration.ofNanos(System.nanoTime() - returned)).isLessThan(SOON.multipliedBy(2));
      watch.await(SOON.toNanos());
    }
  }

  @Test
  void sendsACallWhenAShortOutageIsOver() throws Exception {
    loseTheConnection();
    CompletableFuture<Boolean> call =
        CompletableFuture.supplyAsync(() -> store.find(KEY).isEmpty());
    TimeUnit.MILLISECONDS.sleep(500);

    redis.restart();

    assertThat(call.get(2, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void failsACallAtOnceAfterTheFirstSecondsOfAnOutage() {
    redis.kill();
    assertThatThrownBy(() -> store.find(KEY)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.find(KEY)).isInstanceOf(StoreException.class);

    long sent = System.nanoTime();
    assertThatThrownBy(() -> store.find(KEY))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("no connection to Redis: nothing was sent");
    assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(Duration.ofMillis(500));
  }

  @Test
  void endsWaitingCallsWhenTheStoreIsClosed() throws Exception {
    loseTheConnection();
    CompletableFuture<Boolean> call =
        CompletableFuture.supplyAsync(() -> store.find(KEY).isEmpty());
    assertThatThrownBy(() -> call.get(500, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);

    store.close();

    assertThatThrownBy(() -> call.get(1, TimeUnit.SECONDS))
        .hasCauseInstanceOf(StoreException.class);
  }

  @Test
  void pausesForLessThanHalfASecondHoweverOftenItTried() {
    Delay delay = RedisRecordStore.reconnectDelay();

    for (int attempt = 1; attempt < 1_000; attempt++) {
      assertThat(delay.createDelay(attempt)).isBetween(Duration.ZERO, Duration.ofMillis(500));
    }
  }

  /** Kills Redis, and waits so long that the client has noticed it. */
  private void loseTheConnection() throws InterruptedException {
    redis.kill();
    TimeUnit.MILLISECONDS.sleep(200);
  }

  private boolean forgets() {
    cache.forget(KEY);
    return true;
  }

  private static void awaitSuccess(BooleanSupplier call) {
    Polling.until(
        () -> {
          try {
            return call.getAsBoolean();
          } catch (StoreException e) {
            return false;
          }
        });
  }
}
