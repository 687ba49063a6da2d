package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The contract and the histories fail for a store that breaks its promises. */
@Tag("any-jdk")
final class ContractTeethTest {
  private static final Logger JQWIK = Logger.getLogger("net.jqwik");

  /** Otherwise jqwik logs with each run that it keeps no database, which is intended. */
  @BeforeAll
  static void quiet() {
    JQWIK.setLevel(Level.WARNING);
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void theContractCatches(Flaw flaw) {
    Flaw.current = flaw;

    Events tests = contract(selectMethod(FlawedContract.class, flaw.noticedBy()));

    assumeTrue(tests.aborted().count() == 0, "a JVM with virtual threads");
    assertThat(tests.started().count()).isEqualTo(1);
    assertThat(tests.failed().count()).as("failures of %s", flaw.noticedBy()).isEqualTo(1);
  }

  /** Histories have one caller, one tenant, short keys and plain outcomes: some flaws pass. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "NONE",
        "LOOKS_UP_THEN_LOCKS",
        "(COMPLETES|REOPENS|EXPIRES)_IN_TWO_STEPS",
        "(FOLDS|TRIMS|NORMALISES|JOINS|CUTS)_.*",
        "LOSES_THE_(STATUS|HEADERS)",
        ".*_TENANTS?",
        "PURGES_WITHOUT_LIMIT",
        "IGNORES_TOKENS",
        ".*_(INTERRUPTS|INTERRUPTED_CALLERS|THREADS_OF_CALLERS|OPEN_TRANSACTION)"
      },
      mode = EnumSource.Mode.MATCH_NONE)
  void theHistoriesCatch(Flaw flaw) {
    Flaw.current = flaw;

    Events tests = histories();

    assertThat(tests.started().count()).isEqualTo(1);
    assertThat(tests.failed().count()).as("failures of histories").isEqualTo(1);
  }

  @Test
  void neitherFailsForAStoreWithoutFlaw() {
    Flaw.current = Flaw.NONE;

    assertThat(contract(selectClass(FlawedContract.class)).failed().stream()).isEmpty();
    assertThat(histories().failed().stream()).isEmpty();
  }

  private static Events contract(DiscoverySelector selector) {
    return EngineTestKit.engine("junit-jupiter").selectors(selector).execute().testEvents();
  }

  private static Events histories() {
    return EngineTestKit.engine("jqwik")
        .selectors(selectClass(FlawedHistories.class))
        .configurationParameter("jqwik.database", "") // These failures need no database.
        .configurationParameter("jqwik.shrinking.default", "OFF")
        .configurationParameter("jqwik.reporting.usejunitplatform", "true")
        .execute()
        .testEvents();
  }
}
