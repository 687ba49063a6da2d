package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Execution;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.Once;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Terms;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** The engine while processes crash, pause and lose answers at random. */
final class FaultyEngineProperties {
  private static final int LIVES = 12;

  /** No run of lives comes near this retention, however long its pauses are. */
  private static final Terms TERMS =
      Terms.DEFAULT
          .withLease(Duration.ofMinutes(10))
          .withRetention(Duration.ofDays(300), Duration.ofDays(300))
          .withMaxAttempts(Terms.MAX_ATTEMPTS);

  private static final Request<@Nullable String> RERUN =
      Request.of(new Key("tenant", "payment", "1"), Codec.text()).withTerms(TERMS);

  /** An effect may be executed again, but all callers that get an answer get the same one. */
  @Property
  void answersEveryCallerAlike(@ForAll long seed) throws Exception {
    FaultPlan faults = FaultPlan.seeded(seed);
    Provider provider = new Provider(faults);

    Set<@Nullable String> answers = liveAndHeal(faults, RERUN, provider);

    assertThat(answers).as("answers under %s", faults).hasSize(1);
    assertThat(provider.charges).as("charges under %s", faults).isPositive();
  }

  @Property
  void answersEveryCallerAlikeWhileOthersTakeOver(@ForAll long seed) throws Exception {
    FaultPlan faults = FaultPlan.seeded(seed);
    Provider provider = new Provider(faults);

    Set<@Nullable String> answers = liveAndHealAmongOthers(faults, RERUN, provider);

    assertThat(answers).as("answers under %s", faults).hasSize(1);
  }

  @Property
  void chargesOnceIfItAsksWhatBecameOfACrashedCharge(@ForAll long seed) throws Exception {
    FaultPlan faults = FaultPlan.seeded(seed);
    Provider provider = new Provider(faults);

    Set<@Nullable String> answers = liveAndHeal(faults, asking(provider), provider);

    assertThat(provider.charges).as("charges under %s", faults).isEqualTo(1);
    assertThat(answers).as("answers under %s", faults).containsExactly("receipt 1");
  }

  /**
   * An owner that was paused before its charge resumes after another owner reconciled and charged.
   */
  @Property
  void chargesOnceWhileOthersTakeOverIfTheProviderHonoursFences(@ForAll long seed)
      throws Exception {
    FaultPlan faults = FaultPlan.seeded(seed);
    Provider provider = new Provider(faults);
    provider.honoursFences = true;

    Set<@Nullable String> answers = liveAndHealAmongOthers(faults, asking(provider), provider);

    assertThat(provider.charges).as("charges under %s", faults).isEqualTo(1);
    assertThat(answers).as("answers under %s", faults).containsExactly("receipt 1");
  }

  private static Request<@Nullable String> asking(Provider provider) {
    return RERUN.withTerms(TERMS.withRecovery(Recovery.ASK)).withReconciler(provider::ask);
  }

  private static Set<@Nullable String> liveAndHeal(
      FaultPlan faults, Request<@Nullable String> request, Provider provider) throws Exception {
    return live(faults, request, provider, false);
  }

  private static Set<@Nullable String> liveAndHealAmongOthers(
      FaultPlan faults, Request<@Nullable String> request, Provider provider) throws Exception {
    return live(faults, request, provider, true);
  }

  private static Set<@Nullable String> live(
      FaultPlan faults, Request<@Nullable String> request, Provider provider, boolean others)
      throws Exception {
    Set<@Nullable String> answers = new HashSet<>();
    try (Once once = Once.over(faults.around(new InMemoryRecordStore(faults.clock())))) {
      FaultPlan.Life life = () -> answers.add(once.run(request, provider::charge).orThrow());
      if (others) {
        faults.meanwhile(() -> provider.unlessStale(life));
      }
      for (int i = 0; i < LIVES; i++) {
        faults.life(() -> provider.unlessStale(life));
      }
      faults.heal();
      life.live();
    }
    return answers;
  }

  /** Takes payments, and can report whether it took one. */
  private static final class Provider {
    private final FaultPlan faults;
    private boolean honoursFences;
    private long newestFence;
    private int charges;

    Provider(FaultPlan faults) {
      this.faults = faults;
    }

    String charge(Execution execution) {
      faults.point();
      if (honoursFences && execution.fence() < newestFence) {
        throw new StaleFenceException();
      }
      charges++;
      String receipt = "receipt " + charges;
      faults.point();
      return receipt;
    }

    EffectState<@Nullable String> ask(Execution execution) {
      newestFence = Math.max(newestFence, execution.fence());
      EffectState<@Nullable String> verdict =
          charges == 0 ? EffectState.didNotHappen() : EffectState.happened("receipt " + charges);
      faults.point();
      return verdict;
    }

    void unlessStale(FaultPlan.Life life) throws Exception {
      try {
        life.live();
      } catch (StaleFenceException e) {
        // The provider refused a charge that came too late: this caller gets no answer.
      }
    }
  }

  private static final class StaleFenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
