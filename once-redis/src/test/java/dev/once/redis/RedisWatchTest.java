package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordView;
import dev.once.spi.RecordWatch.Watch;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller that waits for a record is notified by Redis when it changes. */
@Timeout(60)
class RedisWatchTest {
  private static final TestStores STORES = new TestStores(TestRedis.shared(), "watch");
  private static final long AGES = TimeUnit.MINUTES.toNanos(5);
  private static final Duration RETENTION = Duration.ofHours(1);

  private final RedisRecordStore store = STORES.store();
  private final ClaimRequest request =
      ClaimRequest.of(
          new Key("acme", "orders", UUID.randomUUID().toString()),
          Duration.ofMinutes(10),
          RETENTION);

  @AfterAll
  static void close() {
    STORES.close();
  }

  @Test
  void hearsOfEveryWayInWhichAKeyBecomesFree() throws Exception {
    Outcome outcome = Outcome.completed(Payload.NONE);
    List<Consumer<Claim.Granted>> ways =
        List.of(
            grant -> STORES.otherStore().release(grant),
            grant -> STORES.otherStore().renew(grant, Duration.ZERO),
            grant -> STORES.otherStore().reopen(grant.key()),
            grant -> STORES.otherStore().complete(grant, outcome, RETENTION));

    for (Consumer<Claim.Granted> way : ways) {
      Claim.Granted owner = (Claim.Granted) store.claim(request.withNewToken());
      try (Watch watch = store.watch(request.key())) {
        assertThat(store.claim(request.withNewToken())).isInstanceOf(Claim.Held.class);

        way.accept(owner);

        assertReturnsSoon(watch);
      }
    }
  }

  @Test
  void hearsOfAChangeThatCameBeforeItListened() throws Exception {
    Claim.Granted owner = (Claim.Granted) store.claim(request.withNewToken());
    try (Watch watch = store.watch(request.key())) {
      store.claim(request.withNewToken());
      store.release(owner);

      assertReturnsSoon(watch);
    }
  }

  @Test
  void stillHearsAfterTheKeyFoundANewOwner() throws Exception {
    Claim.Granted first = (Claim.Granted) store.claim(request.withNewToken());
    try (Watch watch = store.watch(request.key())) {
      store.release(first);
      assertReturnsSoon(watch);
      Claim.Granted second = (Claim.Granted) STORES.otherStore().claim(request.withNewToken());

      STORES.otherStore().release(second);

      assertReturnsSoon(watch);
    }
  }

  @Test
  void wakesAllWaitersOfOneKeyAndThenStopsListening() throws Exception {
    Claim.Granted owner = (Claim.Granted) store.claim(request.withNewToken());
    try (Watch one = store.watch(request.key());
        Watch other = store.watch(request.key())) {
      store.claim(request.withNewToken());
      store.release(owner);

      assertReturnsSoon(one);
      assertReturnsSoon(other);
    }
    awaitNoListener();
  }

  @Test
  void publishesNothingForARecordWithoutWaiters() {
    STORES.commands().configResetstat();

    store.release((Claim.Granted) store.claim(request));

    assertThat(STORES.commands().info("commandstats"))
        .contains("cmdstat_evalsha")
        .doesNotContain("cmdstat_publish");
  }

  @Test
  void changesNothingVisible() {
    store.claim(request);
    RecordView before = store.find(request.key()).orElseThrow();

    store.watch(request.key()).close();

    assertThat(store.find(request.key())).contains(before);
  }

  @Test
  void lacksNothingButTheMessagesOnceTheStoreIsClosed() throws Exception {
    try (RedisClient client = TestStores.client(TestRedis.shared())) {
      RedisRecordStore closed = RedisRecordStore.over(client);
      closed.close();

      try (Watch watch = closed.watch(request.key())) {
        watch.await(1);
      }
    }
  }

  private void awaitNoListener() {
    String channel = RecordKey.of("watch", request.key());
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (STORES.commands().pubsubNumsub(channel).containsValue(1L)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static void assertReturnsSoon(Watch watch) throws Exception {
    CompletableFuture<Void> heard =
        CompletableFuture.runAsync(
            () -> {
              try {
                watch.await(AGES);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    heard.get(20, TimeUnit.SECONDS);
  }
}
