package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The contract fails for a store that breaks it. */
final class ContractTeethTest {
  private static @Nullable Flaw flaw;

  @ParameterizedTest
  @EnumSource
  void theContractCatches(Flaw candidate) {
    flaw = candidate;

    Events tests =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectMethod(FlawedContract.class, candidate.noticedBy()))
            .execute()
            .testEvents();

    assertThat(tests.started().count()).isEqualTo(1);
    assertThat(tests.failed().count()).as("failures of %s", candidate.noticedBy()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "FOLDS_.*",
        "TRIMS_.*",
        "NORMALISES_.*",
        "JOINS_.*",
        "CUTS_.*",
        ".*_TENANTS?",
        "LOOKS_.*",
        "COMPLETES_IN_.*",
        "LOSES_THE_(STATUS|HEADERS)",
        "PURGES_WITHOUT_LIMIT"
      },
      mode = EnumSource.Mode.MATCH_NONE)
  void theHistoriesCatch(Flaw candidate) {
    flaw = candidate;

    Events tests =
        EngineTestKit.engine("jqwik")
            .selectors(selectClass(FlawedHistories.class))
            .configurationParameter("jqwik.database", "target/jqwik-flawed-database")
            .configurationParameter("jqwik.shrinking.default", "OFF")
            .configurationParameter("jqwik.reporting.usejunitplatform", "true")
            .execute()
            .testEvents();

    assertThat(tests.failed().count()).as("failures of histories").isEqualTo(1);
  }

  private static RecordStore flawed(TestClock clock) {
    RecordStore honest = new InMemoryRecordStore(clock);
    return flaw == null ? honest : flaw.in(honest, clock);
  }

  static final class FlawedContract extends RecordStoreContract {
    private final TestClock clock = new TestClock();
    private final RecordStore store = flawed(clock);

    @Override
    public RecordStore store() {
      return store;
    }

    @Override
    public void elapse(Duration time) {
      clock.advance(time);
    }
  }

  static final class FlawedHistories extends RecordHistoryProperties {
    private final TestClock clock = new TestClock();
    private final RecordStore store = flawed(clock);

    @Override
    public RecordStore store() {
      return store;
    }

    @Override
    public void elapse(Duration time) {
      clock.advance(time);
    }
  }
}
