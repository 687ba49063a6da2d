package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.EffectState;
import dev.once.Recovery;
import dev.once.Result;
import dev.once.testkit.Program;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A real process charges a customer and is killed at each step; then another one takes over. */
class CrashTest {
  private final TestDatabase database = new TestDatabase("crash");

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @EnumSource
  void chargesOnceWhenTheProviderIsQueried(CrashingCharge.Moment moment) throws Exception {
    database.execute("CREATE TABLE charged (fence bigint)");
    killAt(moment, Recovery.ASK);
    database.elapse(CrashingCharge.LEASE);

    Result<@Nullable String> retry =
        CrashingCharge.run(
            database.dataSource(),
            Recovery.ASK,
            execution ->
                charges() == 0 ? EffectState.didNotHappen() : EffectState.happened("receipt"),
            step -> {});

    assertThat(retry.orThrow()).isEqualTo("receipt");
    assertThat(charges()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void finishesByRerunningWithAHigherFence(CrashingCharge.Moment moment) throws Exception {
    database.execute("CREATE TABLE charged (fence bigint)");
    killAt(moment, Recovery.RERUN);
    database.elapse(CrashingCharge.LEASE);

    Result<@Nullable String> retry =
        CrashingCharge.run(
            database.dataSource(), Recovery.RERUN, execution -> EffectState.unknown(), step -> {});

    assertThat(retry.orThrow()).isEqualTo("receipt");
    List<String> fences = database.query("SELECT fence FROM charged ORDER BY fence");
    assertThat(fences).doesNotHaveDuplicates();
    assertThat(fences)
        .hasSize(
            moment == CrashingCharge.Moment.AFTER_EFFECT
                    || moment == CrashingCharge.Moment.BEFORE_COMPLETE
                ? 2
                : 1);
  }

  private int charges() {
    return database.query("SELECT fence FROM charged").size();
  }

  private void killAt(CrashingCharge.Moment moment, Recovery recovery) throws Exception {
    PGSimpleDataSource server = (PGSimpleDataSource) database.database();
    try (Program program =
        Program.start(CrashingCharge.class, server, moment.name(), recovery.name())) {
      program.awaitKilled();
    }
  }
}
