package dev.once.testkit;

import static dev.once.testkit.FailingStore.ALWAYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.once.EffectState;
import dev.once.Execution;
import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.LeaseLostException;
import dev.once.Reconciler;
import dev.once.ReconciliationException;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.spi.State;
import dev.once.testkit.InterceptedStore.Call;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** No call executes an effect that may have happened before it is reconciled. */
abstract class ReconciliationTests extends EngineTests {
  /** For tests in which the lease is lost anyway. */
  private final Request<@Nullable String> shortAskingRequest =
      askingRequest.withTerms(Terms.DEFAULT.withRecovery(Recovery.ASK).withLease(Terms.MIN_LEASE));

  private final AtomicInteger asked = new AtomicInteger();
  private final Gate gate = new Gate();

  ReconciliationTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void staysUncertainWithoutAReconciler() {
    vanishElsewhere(askingRequest);

    assertThat(once.run(askingRequest, MUST_NOT_RUN)).isEqualTo(uncertain());
    assertThat(once.run(askingRequest, MUST_NOT_RUN)).isEqualTo(uncertain());
  }

  @Test
  void reconcilesNoKeyThatIsNewOrDone() {
    Result<@Nullable String> first = once.run(answering(EffectState.unknown()), this::charge);
    Result<@Nullable String> second = once.run(answering(EffectState.unknown()), this::charge);

    assertThat(first).isEqualTo(new Result.Executed<>(key, "receipt 1"));
    assertThat(second).isEqualTo(replayed("receipt 1"));
    assertThat(asked).hasValue(0);
  }

  @Test
  void reconcilesNothingWhileTheOwnerIsExecuting() {
    ownElsewhere(askingRequest);

    assertThat(once.run(answering(EffectState.didNotHappen()), MUST_NOT_RUN))
        .isInstanceOf(Result.Held.class);
    assertThat(asked).hasValue(0);
  }

  @Test
  void recordsAndReplaysWhatHappened() {
    vanishElsewhere(askingRequest);

    Result<@Nullable String> result =
        once.run(answering(EffectState.happened("found")), MUST_NOT_RUN);

    assertThat(result).isEqualTo(replayed("found"));
    assertThat(recordNow().state()).isEqualTo(State.COMPLETED);
    assertThat(once.run(askingRequest, MUST_NOT_RUN)).isEqualTo(replayed("found"));
  }

  @Test
  void recordsAndReplaysAFailureThatHappened() {
    vanishElsewhere(askingRequest);

    Result<@Nullable String> result =
        once.run(answering(EffectState.failed("declined")), MUST_NOT_RUN);

    assertThat(result).isEqualTo(new Result.Replayed<>(key, "declined", Headers.NONE, true));
    assertThat(recordNow().state()).isEqualTo(State.FAILED);
  }

  @Test
  void executesWhatDidNotHappen() {
    vanishElsewhere(askingRequest);

    Result<@Nullable String> result = once.run(answering(EffectState.didNotHappen()), this::charge);

    assertThat(result).isEqualTo(new Result.Executed<>(key, "receipt 1"));
    assertThat(once.run(askingRequest, MUST_NOT_RUN)).isEqualTo(replayed("receipt 1"));
  }

  @Test
  void staysUncertainWhenTheReconcilerCannotTell() {
    vanishElsewhere(askingRequest);

    Result<@Nullable String> result = once.run(answering(EffectState.unknown()), MUST_NOT_RUN);

    assertThat(result).isEqualTo(uncertain());
    assertThat(recordNow().state()).isEqualTo(State.UNCERTAIN);
    assertThat(once.run(answering(EffectState.happened("found")), MUST_NOT_RUN))
        .isEqualTo(replayed("found"));
  }

  @Test
  void staysUncertainWhenTheReconcilerThrows() {
    vanishElsewhere(askingRequest);
    RuntimeException failure = new IllegalStateException("provider is down");

    assertThatThrownBy(
            () ->
                once.run(
                    askingRequest.withReconciler(
                        execution -> {
                          throw failure;
                        }),
                    MUST_NOT_RUN))
        .isSameAs(failure);

    assertThat(recordNow().state()).isEqualTo(State.UNCERTAIN);
  }

  @Test
  void staysUncertainWhenAnInterruptedReconcilerCannotTell() throws Exception {
    vanishElsewhere(askingRequest);
    Request<@Nullable String> interrupted =
        askingRequest.withReconciler(
            execution -> {
              Thread.currentThread().interrupt();
              return EffectState.unknown();
            });

    Future<Result<@Nullable String>> result =
        inBackground(
            () -> engine(new InterruptAverseStore(store())).run(interrupted, MUST_NOT_RUN));

    assertThat(soon(result)).isEqualTo(uncertain());
    assertThat(recordNow().state()).isEqualTo(State.UNCERTAIN);
  }

  @Test
  void asksUnderAGrantThatOutranksTheVanishedOwner() {
    long vanished = vanishElsewhere(askingRequest).fence();
    AtomicLong fence = new AtomicLong();

    once.run(
        askingRequest.withReconciler(
            execution -> {
              fence.set(execution.fence());
              return EffectState.happened("found");
            }),
        MUST_NOT_RUN);

    assertThat(fence.get()).isGreaterThan(vanished);
  }

  @Test
  void asksOnceAtATime() throws Exception {
    vanishElsewhere(askingRequest);
    Future<Result<@Nullable String>> first =
        inBackground(() -> once.run(answering(EffectState.happened("found"), gate), MUST_NOT_RUN));
    gate.awaitReached();

    Result<@Nullable String> second = once.run(answering(EffectState.didNotHappen()), MUST_NOT_RUN);
    gate.open();

    assertThat(second).isInstanceOf(Result.Held.class);
    assertThat(soon(first)).isEqualTo(replayed("found"));
    assertThat(asked).hasValue(1);
  }

  @Test
  void refusesToReconcileForAnotherRequest() {
    vanishElsewhere(askingRequest.withFingerprint(Fingerprint.sha256("one")));
    Request<@Nullable String> other =
        answering(EffectState.didNotHappen()).withFingerprint(Fingerprint.sha256("two"));

    assertThat(once.run(other, MUST_NOT_RUN)).isEqualTo(new Result.Mismatched<>(key));
    assertThat(asked).hasValue(0);
  }

  @Test
  void asksAboutAnEffectThatUsedUpItsAttempts() {
    Terms single = Terms.DEFAULT.withMaxAttempts(1);
    vanishElsewhere(request.withTerms(single));

    Result<@Nullable String> result =
        once.run(answering(EffectState.happened("found")).withTerms(single), MUST_NOT_RUN);

    assertThat(result).isEqualTo(replayed("found"));
  }

  @Test
  void doesNotExecuteWhenTheLeaseWasLostWhileAsking() throws Exception {
    Request<@Nullable String> slow =
        shortAskingRequest.withReconciler(this::didNotHappenUntilInterrupted);
    vanishElsewhere(slow);
    Future<Throwable> reconciling =
        inBackground(() -> catchThrowable(() -> once.run(slow, this::charge)));
    gate.awaitReached();

    takeOver(slow);

    assertThat(soon(reconciling)).isInstanceOf(LeaseLostException.class);
    assertThat(runs).as("runs under a lost lease").hasValue(0);
  }

  @Test
  void asksNoPolicyAboutAnEffectThatDidNotStart() {
    FailingStore broken = new FailingStore(store()).losingRequests(Call.RENEW, ALWAYS);
    Request<@Nullable String> slow =
        shortAskingRequest
            .withReconciler(this::didNotHappenUntilInterrupted)
            .withFailurePolicy(thrown -> EffectState.failed("declined"));
    vanishElsewhere(slow);

    assertThatThrownBy(() -> engine(broken).run(slow, MUST_NOT_RUN))
        .isInstanceOf(LeaseLostException.class);
    assertThat(recordNow().outcome()).isEmpty();
  }

  private EffectState<@Nullable String> didNotHappenUntilInterrupted(Execution execution) {
    try {
      gate.pass();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return EffectState.didNotHappen();
  }

  @Test
  void leavesTheKeyUncertainWhenTheReconcilerThrowsACheckedException() {
    vanishElsewhere(askingRequest);
    Request<@Nullable String> unreachable =
        askingRequest.withReconciler(
            execution -> {
              throw new IOException("no answer");
            });

    assertThatThrownBy(() -> once.run(unreachable, MUST_NOT_RUN))
        .isInstanceOf(ReconciliationException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(once.run(askingRequest, MUST_NOT_RUN)).isEqualTo(uncertain());
  }

  private Request<@Nullable String> answering(EffectState<@Nullable String> verdict) {
    Gate open = new Gate();
    open.open();
    return answering(verdict, open);
  }

  private Request<@Nullable String> answering(EffectState<@Nullable String> verdict, Gate gate) {
    return askingRequest.withReconciler(new Provider(verdict, gate, asked));
  }

  /** Knows what happened, and answers once the gate is open. */
  private record Provider(EffectState<@Nullable String> verdict, Gate gate, AtomicInteger asked)
      implements Reconciler<@Nullable String> {
    @Override
    public EffectState<@Nullable String> reconcile(Execution execution) {
      asked.incrementAndGet();
      gate.passUninterrupted();
      return verdict;
    }
  }

  private Result<@Nullable String> replayed(String value) {
    return new Result.Replayed<>(key, value, Headers.NONE);
  }

  private Result<@Nullable String> uncertain() {
    return new Result.Uncertain<>(key);
  }
}
