package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.EffectState;
import dev.once.Recovery;
import dev.once.Result;
import dev.once.testkit.Program;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real process charges a customer and is killed at each step; then another one takes over. */
class RedisCrashTest {
  private final TestRedis redis = TestRedis.start();
  private final RedisClient client = TestStores.client(redis);
  private final RedisCommands<String, String> commands = client.connect().sync();

  @AfterEach
  void close() {
    client.shutdown();
    redis.close();
  }

  @ParameterizedTest
  @EnumSource
  void chargesOnceWhenTheProviderIsQueried(CrashingCharge.Moment moment) throws Exception {
    killAt(moment, Recovery.ASK);
    TestStores.elapse(commands, "once", CrashingCharge.LEASE);

    Result<@Nullable String> retry =
        CrashingCharge.run(
            redis.uri(),
            Recovery.ASK,
            execution ->
                charges().isEmpty() ? EffectState.didNotHappen() : EffectState.happened("receipt"),
            step -> {});

    assertThat(retry.orThrow()).isEqualTo("receipt");
    assertThat(charges()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void finishesByRerunningWithAHigherFence(CrashingCharge.Moment moment) throws Exception {
    killAt(moment, Recovery.RERUN);
    TestStores.elapse(commands, "once", CrashingCharge.LEASE);

    Result<@Nullable String> retry =
        CrashingCharge.run(
            redis.uri(), Recovery.RERUN, execution -> EffectState.unknown(), step -> {});

    assertThat(retry.orThrow()).isEqualTo("receipt");
    boolean ranBefore =
        moment == CrashingCharge.Moment.AFTER_EFFECT
            || moment == CrashingCharge.Moment.BEFORE_COMPLETE;
    assertThat(charges()).isSorted().doesNotHaveDuplicates().hasSize(ranBefore ? 2 : 1);
  }

  private List<String> charges() {
    return commands.lrange(CrashingCharge.CHARGED, 0, -1);
  }

  private void killAt(CrashingCharge.Moment moment, Recovery recovery) throws Exception {
    try (Program program =
        Program.start(CrashingCharge.class, redis.uri(), moment.name(), recovery.name())) {
      program.awaitKilled();
    }
  }
}
