package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.testkit.TestRedis;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A duplicate waits for the owner's result, with Redis's messages and without. */
@Timeout(60)
class RedisWaitTest {
  private final TestRedis redis = TestRedis.start();
  private final RedisClient client = TestStores.client(redis);
  private final RedisCommands<String, String> commands = client.connect().sync();
  private final RedisRecordStore store = RedisRecordStore.over(client);
  private final Once once = Once.over(store);
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final Request<@Nullable String> charge =
      Request.of(new Key("acme", "payments", "order-42"), Codec.text())
          .withTerms(Terms.DEFAULT.withMaxWait(Duration.ofSeconds(60)));

  @AfterEach
  void stop() {
    callers.shutdownNow();
    once.close();
    store.close();
    client.shutdown();
    redis.close();
  }

  @Test
  void hearsOfTheResultLongBeforeItWouldAskAgain() throws Exception {
    CompletableFuture<Result<@Nullable String>> owner = charging();
    CompletableFuture<Result<@Nullable String>> duplicate = duplicate();
    // Its pauses have grown: the next one lasts between one second and two.
    awaitCalls(11);

    mayEnd.countDown();
    owner.get(20, TimeUnit.SECONDS);
    long ended = System.nanoTime();

    assertThat(duplicate.get(20, TimeUnit.SECONDS)).isInstanceOf(Result.Replayed.class);
    assertThat(Duration.ofNanos(System.nanoTime() - ended)).isLessThan(Duration.ofMillis(500));
  }

  @Test
  void getsTheResultWithoutMessages() throws Exception {
    // No client may subscribe any more: connections work, messages do not.
    commands.aclSetuser("default", AclSetuserArgs.Builder.resetChannels());
    CompletableFuture<Result<@Nullable String>> owner = charging();
    CompletableFuture<Result<@Nullable String>> duplicate = duplicate();
    awaitCalls(5);

    mayEnd.countDown();

    assertThat(owner.get(20, TimeUnit.SECONDS)).isInstanceOf(Result.Executed.class);
    assertThat(duplicate.get(20, TimeUnit.SECONDS)).isInstanceOf(Result.Replayed.class);
  }

  @Test
  void getsTheResultWhenTheMessengerIsCutOff() throws Exception {
    CompletableFuture<Result<@Nullable String>> owner = charging();
    CompletableFuture<Result<@Nullable String>> duplicate = duplicate();
    awaitCalls(5);
    commands.clientKill(KillArgs.Builder.typePubsub());

    mayEnd.countDown();

    assertThat(owner.get(20, TimeUnit.SECONDS)).isInstanceOf(Result.Executed.class);
    assertThat(duplicate.get(20, TimeUnit.SECONDS)).isInstanceOf(Result.Replayed.class);
  }

  private CompletableFuture<Result<@Nullable String>> charging() throws InterruptedException {
    CompletableFuture<Result<@Nullable String>> owner =
        CompletableFuture.supplyAsync(
            () ->
                once.run(
                    charge,
                    execution -> {
                      started.countDown();
                      await(mayEnd);
                      return "receipt";
                    }),
            callers);
    started.await();
    return owner;
  }

  private CompletableFuture<Result<@Nullable String>> duplicate() {
    return CompletableFuture.supplyAsync(
        () -> once.run(charge, execution -> "second receipt"), callers);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Waits until scripts were called so often by hash: once by the owner, the rest by the waiting
   * call.
   */
  private void awaitCalls(int calls) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (calls() < calls) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private int calls() {
    return commands
        .info("commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_evalsha:"))
        .map(line -> line.replaceAll(".*:calls=(\\d+),.*", "$1"))
        .mapToInt(Integer::parseInt)
        .sum();
  }
}
