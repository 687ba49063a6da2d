package dev.once.effects;

import static dev.once.effects.TestEvents.changed;
import static dev.once.effects.TestEvents.deleted;
import static dev.once.effects.TestEvents.event;
import static dev.once.effects.TestEvents.noted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Aggregate;
import dev.once.events.EventExecution;
import dev.once.events.UnprocessableEventException;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entries in a real Redis. */
@Timeout(60)
class RedisEntryEffectTest {
  private static final TestRedis REDIS = TestRedis.start();
  private static final RedisClient CLIENT = RedisClient.create(REDIS.uri());
  private static final EventExecution FIRST = new EventExecution(1, 1);
  private static final String PUMP = "orders:order/pump";

  private final StatefulRedisConnection<String, String> connection = CLIENT.connect();
  private final RedisCommands<String, String> redis = connection.sync();
  private final RedisEntryEffect effect = builder().build(TestEvents::map);

  @BeforeEach
  void empty() {
    redis.flushall();
  }

  @AfterEach
  void close() {
    effect.close();
    connection.close();
  }

  @AfterAll
  static void closeAll() {
    CLIENT.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    REDIS.close();
  }

  @Test
  void anApplicationReadsTheValueByOneCommand() throws Exception {
    effect.apply(changed("pump", 1), FIRST);

    assertThat(redis.hget(PUMP, "value")).isEqualTo("{\"count\":1}");
    assertThat(redis.hgetall(PUMP)).containsEntry("sequence", "1").hasSize(2);
    assertThat(effect.keyOf(new Aggregate("order", "pump"))).isEqualTo(PUMP);
  }

  @Test
  void aLowerOrEqualSequenceNeverOverwrites() throws Exception {
    for (long sequence : List.of(9L, 10L, (1L << 53) + 1, Long.MAX_VALUE)) {
      effect.apply(changed("pump", sequence), FIRST);

      effect.apply(changed("pump", sequence - 1), FIRST);
      effect.apply(event("pump", sequence, TestEvents.CHANGED, "\"other\""), FIRST);
      effect.apply(deleted("pump", 2), FIRST);

      assertThat(redis.hgetall(PUMP))
          .isEqualTo(Map.of("sequence", "" + sequence, "value", "{\"count\":" + sequence + "}"));
    }
  }

  @Test
  void aHigherSequenceAlwaysOverwrites() throws Exception {
    for (long sequence : List.of(1L, 9L, 99L, 1L << 53, Long.MAX_VALUE - 1)) {
      effect.apply(changed("pump", sequence), FIRST);

      effect.apply(changed("pump", sequence + 1), FIRST);

      assertThat(redis.hget(PUMP, "value")).isEqualTo("{\"count\":" + (sequence + 1) + "}");
    }
  }

  @Test
  void aDeletionLeavesATombstone() throws Exception {
    effect.apply(changed("pump", 1), FIRST);

    effect.apply(deleted("pump", 2), FIRST);

    assertThat(redis.hget(PUMP, "value")).isNull();
    assertThat(redis.hgetall(PUMP)).isEqualTo(Map.of("sequence", "2"));
  }

  @Test
  void anEventWithoutAChangeWritesNothing() throws Exception {
    effect.apply(noted("pump", 1), FIRST);

    assertThat(redis.exists(PUMP)).isZero();
  }

  @Test
  void anEventIsOneRoundTrip() throws Exception {
    effect.apply(changed("pump", 1), FIRST);
    redis.configResetstat();

    effect.apply(changed("pump", 2), FIRST);

    assertThat(redis.info("commandstats"))
        .contains("cmdstat_evalsha:calls=1,")
        .doesNotContain("cmdstat_eval:");
  }

  @Test
  void sendsTheScriptToAServerThatForgotIt() throws Exception {
    effect.apply(changed("pump", 1), FIRST);
    redis.scriptFlush();

    effect.apply(changed("pump", 2), FIRST);

    assertThat(redis.hget(PUMP, "sequence")).isEqualTo("2");
  }

  @Test
  void entriesAndTombstonesEndAfterTheirTtl() throws Exception {
    try (RedisEntryEffect ending =
        builder()
            .entryTtl(Duration.ofHours(1))
            .tombstoneTtl(Duration.ofHours(24))
            .build(TestEvents::map)) {
      ending.apply(changed("pump", 1), FIRST);
      assertThat(redis.pttl(PUMP)).isBetween(3_500_000L, 3_600_000L);

      ending.apply(deleted("pump", 2), FIRST);
      assertThat(redis.pttl(PUMP)).isBetween(86_300_000L, 86_400_000L);
    }

    effect.apply(changed("pump", 3), FIRST);

    assertThat(redis.pttl(PUMP)).isEqualTo(-1);
  }

  @Test
  void anOlderEventWritesItsValueAfterTheTtlOfATombstone() throws Exception {
    try (RedisEntryEffect forgetful =
        builder().tombstoneTtl(Duration.ofMillis(1)).build(TestEvents::map)) {
      forgetful.apply(deleted("pump", 2), FIRST);
      Await.until("the tombstone is gone", () -> redis.exists(PUMP) == 0);

      forgetful.apply(changed("pump", 1), FIRST);
    }

    assertThat(redis.hget(PUMP, "value")).isEqualTo("{\"count\":1}");
  }

  @Test
  void refusesAValueThatIsTooLarge() {
    try (RedisEntryEffect small = builder().maxValueBytes(10).build(TestEvents::map)) {
      assertThatThrownBy(() -> small.apply(changed("pump", 1), FIRST))
          .isInstanceOf(UnprocessableEventException.class)
          .hasMessage("its value must have at most 10 bytes, got 11");
    }
  }

  @Test
  void leavesTheKeyOfAnotherApplication() {
    redis.set(PUMP, "theirs");

    assertThatThrownBy(() -> effect.apply(changed("pump", 1), FIRST))
        .isInstanceOf(EffectException.class)
        .hasMessageContaining("WRONGTYPE")
        .hasMessageContaining("prefix of its own");
    assertThat(redis.get(PUMP)).isEqualTo("theirs");
  }

  @Test
  void aWriteWithoutAnAnswerAndItsRepetitionAreOne() throws Exception {
    REDIS.pause();
    try {
      assertThatThrownBy(() -> effect.apply(changed("pump", 1), FIRST))
          .isInstanceOf(EffectException.class)
          .hasMessageContaining("did not answer within PT0.3S");
    } finally {
      REDIS.resume();
    }

    effect.apply(changed("pump", 1), FIRST);
    effect.apply(changed("pump", 2), FIRST);

    assertThat(redis.hget(PUMP, "value")).isEqualTo("{\"count\":2}");
  }

  @Test
  void anInterruptEndsTheCall() throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    try (RedisEntryEffect patient =
        builder().timeout(Duration.ofMinutes(1)).build(TestEvents::map)) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  patient.apply(changed("pump", 1), FIRST);
                } catch (Throwable e) {
                  thrown.complete(e);
                }
              });
      REDIS.pause();
      try {
        thread.start();
        thread.interrupt();

        assertThat(thrown.get(50, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
      } finally {
        REDIS.resume();
      }
    }
  }

  @Test
  void noTwoAggregatesHaveTheSameKey() {
    List<String> keys =
        Stream.of("a", "A", "a ", "a:b", "{a}", "ä", "x".repeat(1000))
            .map(it -> effect.keyOf(new Aggregate("order", it)))
            .toList();

    assertThat(keys).doesNotHaveDuplicates().noneMatch(it -> it.contains("{"));
  }

  @Test
  void refusesSettingsOutsideTheirLimits() {
    for (String prefix : List.of("", "{a}", "a b", "x".repeat(65))) {
      assertThatThrownBy(() -> RedisEntryEffect.builder(CLIENT, prefix))
          .hasMessageContaining("prefix must have");
    }
    assertThatThrownBy(() -> builder().timeout(Duration.ZERO)).hasMessageContaining("timeout");
    assertThatThrownBy(() -> builder().entryTtl(Duration.ZERO)).hasMessageContaining("TTL");
    assertThatThrownBy(() -> builder().maxValueBytes(0)).hasMessageContaining("largest value");
  }

  @Test
  void aServerThatIsNotThereIsAFailure() {
    RedisClient absent = RedisClient.create("redis://127.0.0.1:1");
    try {
      assertThatThrownBy(() -> RedisEntryEffect.builder(absent, "orders").build(TestEvents::map))
          .isInstanceOf(EffectException.class)
          .hasMessageContaining("check its address");
    } finally {
      absent.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  @Test
  void worksOnACluster() throws Exception {
    try (TestRedis node = TestRedis.start("cluster-enabled yes")) {
      RedisClient direct = RedisClient.create(node.uri());
      RedisClusterClient client = RedisClusterClient.create(node.uri());
      try (StatefulRedisConnection<String, String> commands = direct.connect();
          RedisEntryEffect clustered = onCluster(commands.sync(), client)) {
        clustered.apply(changed("pump", 2), FIRST);
        clustered.apply(changed("pump", 1), FIRST);

        assertThat(commands.sync().hget(PUMP, "value")).isEqualTo("{\"count\":2}");
      } finally {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        direct.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      }
    }
  }

  private static RedisEntryEffect onCluster(
      RedisCommands<String, String> redis, RedisClusterClient client) throws Exception {
    redis.clusterAddSlots(java.util.stream.IntStream.range(0, 16_384).toArray());
    Await.until("the cluster works", () -> redis.clusterInfo().contains("cluster_state:ok"));
    return RedisEntryEffect.builder(client, "orders").build(TestEvents::map);
  }

  private static RedisEntryEffect.Builder builder() {
    return RedisEntryEffect.builder(CLIENT, "orders").timeout(Duration.ofMillis(300));
  }
}
