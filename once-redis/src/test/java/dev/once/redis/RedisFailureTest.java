package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.OutcomeUnknownException;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import dev.once.Terms;
import dev.once.spi.ClaimRequest;
import dev.once.testkit.TestRedis;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Redis hangs, dies, is demoted or refuses, and says so. */
@Timeout(60)
class RedisFailureTest {
  private static final Duration TIMEOUT = Duration.ofMillis(400);

  private final TestRedis redis = TestRedis.start();
  private final RedisClient client = TestStores.client(redis);
  private final RedisRecordStore store = RedisRecordStore.builder(client).timeout(TIMEOUT).build();
  private final Once once = Once.over(store);
  private final AtomicInteger charges = new AtomicInteger();
  private final Request<@Nullable String> charge =
      Request.of(new Key("acme", "payments", "secret-order"), Codec.text())
          .withTerms(
              Terms.DEFAULT
                  .withRecovery(Recovery.ASK)
                  .withMaxCompletionTime(Duration.ofSeconds(1)));

  @AfterEach
  void stop() {
    redis.resume();
    once.close();
    store.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    redis.close();
  }

  @Test
  void runsNothingWhileRedisHangs() {
    redis.pause();

    assertThatThrownBy(this::run)
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("claim of acme/payments/#")
        .hasMessageContaining("did not answer in time")
        .hasMessageNotContaining("secret-order");
    assertThat(charges).hasValue(0);
  }

  @Test
  void chargesOnceWhenRedisHangsAfterTheEffect() {
    assertThatThrownBy(
            () ->
                once.run(
                    charge,
                    execution -> {
                      redis.pause();
                      return charge();
                    }))
        .isInstanceOf(OutcomeUnknownException.class);
    redis.resume();

    // The completion that was sent may still arrive: then the answer is a replay.
    assertThat(run()).isInstanceOfAny(Result.Held.class, Result.Replayed.class);
    assertThat(charges).hasValue(1);
  }

  @Test
  void saysThatTheConnectionIsLostAndComesBackByItself() {
    redis.kill();
    Polling.until(() -> catchThrowable(this::run) instanceof StoreUnavailableException);
    assertThatThrownBy(this::run)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("there is no connection to Redis: nothing was sent");

    redis.restart();

    assertThat(runOnceItIsBack()).isInstanceOf(Result.Executed.class);
    assertThat(charges).hasValue(1);
  }

  @Test
  void sendsNothingAgainThatMayHaveBeenExecuted() throws Exception {
    RedisCommands<String, String> operator = commands();
    try (RedisRecordStore patient =
        RedisRecordStore.builder(client).timeout(Duration.ofSeconds(30)).build()) {
      postponeScripts(operator);
      CompletableFuture<Boolean> reopened =
          CompletableFuture.supplyAsync(() -> patient.reopen(charge.key()));
      awaitPostponedScript(operator);
      redis.kill();
      redis.restart();

      assertThatThrownBy(() -> reopened.get(20, TimeUnit.SECONDS))
          .cause()
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("the change may or may not have been made");
      assertThat(commands().info("commandstats")).doesNotContain("cmdstat_evalsha");
    }
  }

  @Test
  void refusesAClientThatWouldSendAgain() {
    try (RedisClient plain = RedisClient.create(redis.uri())) {
      assertThatThrownBy(() -> RedisRecordStore.over(plain))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("RedisRecordStore.options()");
    }
  }

  @Test
  void refusesAClientWhosePausesBetweenConnectionAttemptsGrow() {
    try (RedisClient slow = RedisClient.create(redis.uri())) {
      slow.setOptions(RedisRecordStore.options());

      assertThatThrownBy(() -> RedisRecordStore.over(slow))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("RedisRecordStore.reconnectDelay()");
    }
  }

  @Test
  void namesAReplica() {
    assertThat(run()).isInstanceOf(Result.Executed.class);
    commands().replicaof("127.0.0.1", 1);

    assertThatThrownBy(() -> store.claim(other()))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("READONLY: it is a replica");

    commands().replicaofNoOne();
    assertThat(run()).as("promoted").isInstanceOf(Result.Replayed.class);
  }

  @Test
  void namesAFullMemory() {
    commands().configSet("maxmemory", "1");

    assertThatThrownBy(this::run)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("OOM: its memory is full");
  }

  @Test
  void namesMissingReplicas() {
    commands().configSet("min-replicas-to-write", "1");

    assertThatThrownBy(this::run)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("NOREPLICAS: fewer replicas are in sync");
  }

  @Test
  void namesMissingRights() {
    commands().aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.SET));

    assertThatThrownBy(this::run)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("NOPERM: its user lacks rights");
  }

  @Test
  void saysThatAnUnfamiliarErrorMayHaveComeAfterTheChange() {
    StoreException failure =
        RedisFailure.refused(Script.CLAIM, charge.key(), "ERR something happened script: 1234");

    assertThat(failure)
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("refused with ERR: the change may or may not have been made");
  }

  @Test
  void findsTheErrorOfACommandInThatOfItsScriptAsOlderServersSendIt() {
    StoreException failure =
        RedisFailure.refused(
            Script.CLAIM,
            charge.key(),
            "ERR Error running script (call to f_12ab): @user_script:63: @user_script: 63:"
                + " -READONLY You can't write against a read only replica.");

    assertThat(failure)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("refused with READONLY");
  }

  private ClaimRequest other() {
    return ClaimRequest.of(
        new Key("acme", "payments", "other"), Duration.ofSeconds(30), Duration.ofHours(1));
  }

  /** Redis receives scripts and does not execute them; other commands are answered. */
  private static void postponeScripts(RedisCommands<String, String> operator) {
    operator.dispatch(
        CommandType.CLIENT,
        new StatusOutput<>(StringCodec.UTF8),
        new CommandArgs<>(StringCodec.UTF8).add("PAUSE").add(60_000).add("WRITE"));
  }

  private static void awaitPostponedScript(RedisCommands<String, String> operator) {
    while (!operator.clientList().contains(" flags=b ")) {
      Thread.onSpinWait();
    }
  }

  private RedisCommands<String, String> commands() {
    return client.connect().sync();
  }

  private Result<@Nullable String> run() {
    return once.run(charge, execution -> charge());
  }

  private Result<@Nullable String> runOnceItIsBack() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (true) {
      try {
        return run();
      } catch (StoreException e) {
        assertThat(System.nanoTime()).as("the deadline, after %s", e).isLessThan(deadline);
      }
    }
  }

  private String charge() {
    return "receipt " + charges.incrementAndGet();
  }
}
