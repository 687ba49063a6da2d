package dev.once.testkit;

import static dev.once.testkit.FailingStore.ALWAYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.EngineEvent;
import dev.once.Execution;
import dev.once.Headers;
import dev.once.OutcomeUnknownException;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.spi.RecordStore;
import dev.once.spi.State;
import dev.once.testkit.InterceptedStore.Call;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A store failure before the grant means no effect; after the effect it means "unknown". */
abstract class StoreFailureTests extends EngineTests {
  StoreFailureTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void recordsAnOutcomeWhenMemoryIsFreeAgain() {
    AtomicInteger completions = new AtomicInteger();
    RecordStore scarce =
        new InterceptedStore(store()) {
          @Override
          <R> R around(Call call, Supplier<R> answer) {
            if (call == Call.COMPLETE && completions.incrementAndGet() == 1) {
              throw new OutOfMemoryError("not really");
            }
            return answer.get();
          }
        };

    assertThat(engine(scarce).run(request, this::charge)).isEqualTo(executed("receipt 1"));
    assertThat(once.run(request, MUST_NOT_RUN)).isEqualTo(replayed("receipt 1"));
    assertThat(completions).hasValue(2);
  }

  @Test
  void doesNotRunTheEffectWhenNoClaimReachesTheStore() {
    FailingStore broken = new FailingStore(store()).losingRequests(Call.CLAIM, ALWAYS);

    assertThatThrownBy(() -> engine(broken).run(request, MUST_NOT_RUN))
        .isInstanceOf(StoreException.class);
    assertThat(store().find(key)).isEmpty();
  }

  /** The store granted the key; without its token, the second claim would find the key held. */
  @Test
  void sendsAClaimAgainWhoseAnswerWasLost() {
    FailingStore shaky = new FailingStore(store()).losingAnswers(Call.CLAIM, 2);

    assertThat(engine(shaky).run(askingRequest, this::charge)).isEqualTo(executed("receipt 1"));

    assertThat(recordNow().attempts()).isEqualTo(1);
  }

  @Test
  void sendsAReconciliationAgainWhoseAnswerWasLost() {
    vanishElsewhere(askingRequest);
    FailingStore shaky = new FailingStore(store()).losingAnswers(Call.RECONCILE, 2);

    Result<@Nullable String> result =
        engine(shaky)
            .run(askingRequest.withReconciler(it -> EffectState.happened("found")), MUST_NOT_RUN);

    assertThat(result).isEqualTo(replayed("found"));
  }

  /**
   * The trap: a key whose effect no caller executes stays held, and becomes uncertain when its
   * lease ends.
   */
  @Test
  void givesTheKeyBackOfAClaimThatStaysWithoutAnAnswer() throws InterruptedException {
    ObservedStore observed = new ObservedStore(store());
    FailingStore broken = new FailingStore(observed).losingAnswers(Call.CLAIM, 3);

    assertThatThrownBy(() -> engine(broken).run(askingRequest, MUST_NOT_RUN))
        .isInstanceOf(StoreException.class);

    observed.await(Call.RELEASE, 1);
    assertThat(recordNow().state()).isEqualTo(State.OPEN);
    assertThat(once.run(askingRequest, this::charge)).isEqualTo(executed("receipt 1"));
  }

  @Test
  void leavesARecordUncertainWhoseReconciliationStaysWithoutAnAnswer() {
    vanishElsewhere(askingRequest);
    FailingStore broken = new FailingStore(store()).losingAnswers(Call.RECONCILE, 3);
    Request<@Nullable String> reconciled =
        askingRequest.withReconciler(it -> EffectState.happened("found"));

    assertThatThrownBy(() -> engine(broken).run(reconciled, MUST_NOT_RUN))
        .isInstanceOf(StoreException.class);

    elapse(askingRequest.terms().lease());
    assertThat(once.run(askingRequest, MUST_NOT_RUN)).isEqualTo(new Result.Uncertain<>(key));
  }

  @Test
  void saysUnknownWhenTheOutcomeCannotBeRecorded() {
    FailingStore broken = new FailingStore(store()).losingRequests(Call.COMPLETE, ALWAYS);

    assertThatExceptionOfType(OutcomeUnknownException.class)
        .isThrownBy(() -> engine(broken).run(impatientRequest, this::charge))
        .withCauseInstanceOf(StoreException.class)
        .satisfies(it -> assertThat(it.key()).isEqualTo(key))
        .satisfies(it -> assertThat(it.fence()).isEqualTo(recordNow().fence()));
    assertThat(runs).hasValue(1);
  }

  @Test
  void keepsTheGrantWhenTheOutcomeCannotBeRecorded() {
    ObservedStore observed = new ObservedStore(store());
    FailingStore broken = new FailingStore(observed).losingRequests(Call.COMPLETE, ALWAYS);

    assertThatThrownBy(() -> engine(broken).run(impatientRequest, this::charge))
        .isInstanceOf(OutcomeUnknownException.class);

    assertThat(observed.calls()).containsExactly(Call.CLAIM);
    assertThat(recordNow().state()).isEqualTo(State.IN_PROGRESS);
    assertThat(once.run(request, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);
  }

  @Test
  void leavesAnUnrecordedOutcomeToTheRecovery() {
    FailingStore broken = new FailingStore(store()).losingRequests(Call.COMPLETE, ALWAYS);
    assertThatThrownBy(() -> engine(broken).run(impatient(askingRequest), this::charge))
        .isInstanceOf(OutcomeUnknownException.class);

    elapse(askingRequest.terms().lease());

    assertThat(once.run(askingRequest, MUST_NOT_RUN)).isEqualTo(new Result.Uncertain<>(key));
  }

  @Test
  void recordsTheOutcomeOnceTheStoreRecovers() {
    FailingStore shaky = new FailingStore(store()).losingRequests(Call.COMPLETE, 6);

    assertThat(engine(shaky).run(request, this::charge)).isEqualTo(executed("receipt 1"));

    assertThat(once.run(request, MUST_NOT_RUN)).isEqualTo(replayed("receipt 1"));
  }

  @Test
  void recordsTheOutcomeOnceWhenTheAnswerIsLost() {
    FailingStore shaky = new FailingStore(store()).losingAnswers(Call.COMPLETE, 6);

    assertThat(engine(shaky).run(request, this::charge)).isEqualTo(executed("receipt 1"));

    assertThat(once.run(request, MUST_NOT_RUN)).isEqualTo(replayed("receipt 1"));
  }

  @Test
  void saysUnknownWhenTheValueCannotBeEncoded() {
    RuntimeException mistake = new IllegalArgumentException("cannot write this");
    Codec<@Nullable String> broken =
        Codec.of(
            text -> {
              throw mistake;
            },
            bytes -> "");

    assertThatThrownBy(() -> once.run(Request.of(key, broken), this::charge))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasCause(mistake);
    assertThat(recordNow().state()).isEqualTo(State.IN_PROGRESS);
    assertThat(once.run(request, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);
  }

  @Test
  void recordsTheOutcomeOfAnInterruptedThread() throws Exception {
    Future<Boolean> flag =
        inBackground(
            () -> {
              engine(new InterruptAverseStore(store())).run(request, this::chargeInterrupted);
              return Thread.interrupted();
            });

    assertThat(soon(flag)).as("the interrupt is still there").isTrue();
    assertThat(once.run(request, MUST_NOT_RUN)).isEqualTo(replayed("receipt 1"));
  }

  @Test
  void givesTheKeyBackFromAnInterruptedThread() throws Exception {
    Future<Boolean> flag =
        inBackground(
            () -> {
              assertThatThrownBy(
                      () ->
                          engine(new InterruptAverseStore(store()))
                              .run(
                                  request,
                                  execution -> {
                                    Thread.currentThread().interrupt();
                                    throw new IllegalStateException("did not happen");
                                  }))
                  .hasMessage("did not happen");
              return Thread.interrupted();
            });

    assertThat(soon(flag)).as("the interrupt is still there").isTrue();
    assertThat(once.run(request, this::charge)).isEqualTo(executed("receipt 1"));
  }

  private @Nullable String chargeInterrupted(Execution execution) {
    Thread.currentThread().interrupt();
    return charge(execution);
  }

  @Test
  void saysUnknownWhenEncodingEndsInAnError() {
    Codec<@Nullable String> broken =
        Codec.of(
            text -> {
              throw new StackOverflowError("nested too deeply");
            },
            bytes -> "never");

    assertThatThrownBy(() -> once.run(Request.of(key, broken), this::charge))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasCauseInstanceOf(StackOverflowError.class);
    assertThat(events.types()).contains(EngineEvent.OutcomeUnknown.class);
  }

  private Result<@Nullable String> executed(String value) {
    return new Result.Executed<>(key, value);
  }

  private Result<@Nullable String> replayed(String value) {
    return new Result.Replayed<>(key, value, Headers.NONE);
  }
}
