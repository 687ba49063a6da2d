package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.BeginResult;
import dev.once.EffectState;
import dev.once.EngineEvent;
import dev.once.Headers;
import dev.once.LeaseLostException;
import dev.once.OutcomeUnknownException;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.spi.State;
import dev.once.testkit.InterceptedStore.Call;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An effect may end on a thread other than the one it began on, and all promises still hold. */
abstract class BeginTests extends EngineTests {
  private static final Duration KEPT = Duration.ofSeconds(3);
  private final IllegalStateException cause = new IllegalStateException("card declined");

  BeginTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void replaysWhatWasCompletedOnAnotherThread() throws Exception {
    BeginResult.Running<@Nullable String> running = begin(request);

    soon(inBackground(() -> complete(running, "receipt 1")));

    assertThat(once.run(request, MUST_NOT_RUN))
        .isEqualTo(new Result.Replayed<>(key, "receipt 1", Headers.NONE));
    assertThat(events.types())
        .containsExactly(
            EngineEvent.Granted.class, EngineEvent.Completed.class, EngineEvent.Replayed.class);
  }

  @Test
  void answersABeginningFromTheRecord() {
    once.run(request, this::charge);

    assertThat(once.begin(request))
        .isEqualTo(
            new BeginResult.Answered<>(new Result.Replayed<>(key, "receipt 1", Headers.NONE)));
  }

  @Test
  void holdsTheKeyWhileTheEffectRuns() {
    begin(request);

    assertThat(once.run(request, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);
  }

  @Test
  void keepsTheLeaseUntilTheEffectEnds() throws InterruptedException {
    ObservedStore observed = new ObservedStore(store());
    Request<@Nullable String> kept = request.withTerms(Terms.DEFAULT.withLease(KEPT));
    BeginResult.Running<@Nullable String> running = running(engine(observed).begin(kept));

    observed.await(Call.RENEW, 1);
    elapse(KEPT.dividedBy(3).multipliedBy(2));

    assertThat(once.run(kept, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);
    running.complete("kept");
  }

  @Test
  void completesWithinTheLeaseAfterItsHeartbeatStopped() {
    BeginResult.Running<@Nullable String> running = begin(request);
    running.stopHeartbeat();

    running.complete("receipt 1");

    assertThat(recordNow().state()).isEqualTo(State.COMPLETED);
  }

  @Test
  void lapsesWhenItsHeartbeatStoppedAndItIsNotEnded() {
    begin(request).stopHeartbeat();
    elapse(request.terms().lease());

    assertThat(once.run(request, this::charge)).isInstanceOf(Result.Executed.class);
  }

  @Test
  void executesAgainAfterARelease() {
    begin(request).release(cause);

    assertThat(once.run(request, this::charge)).isInstanceOf(Result.Executed.class);
    assertThat(events.types()).startsWith(EngineEvent.Granted.class, EngineEvent.Released.class);
  }

  @Test
  void leavesAnAbandonedEffectToItsRecovery() {
    begin(askingRequest).abandon(cause);

    assertThat(once.run(askingRequest, MUST_NOT_RUN)).isInstanceOf(Result.Uncertain.class);
    assertThat(events.types()).startsWith(EngineEvent.Granted.class, EngineEvent.Abandoned.class);
  }

  @Test
  void refusesToCompleteWhatAnotherTookOver() {
    BeginResult.Running<@Nullable String> running = begin(request);
    takeOver(request);

    assertThatThrownBy(() -> running.complete("late")).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void saysThatTheOutcomeIsUnknownWhenItCannotBeRecorded() {
    FailingStore broken =
        new FailingStore(store()).losingRequests(Call.COMPLETE, FailingStore.ALWAYS);
    BeginResult.Running<@Nullable String> running = running(engine(broken).begin(impatientRequest));

    assertThatThrownBy(() -> running.complete("receipt 1"))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(once.run(request, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);
  }

  @Test
  void beginsNothingWhenTheStoreFails() {
    FailingStore broken = new FailingStore(store()).losingRequests(Call.CLAIM, FailingStore.ALWAYS);

    assertThatThrownBy(() -> engine(broken).begin(request)).isInstanceOf(StoreException.class);
    assertThat(store().find(key)).isEmpty();
  }

  @Test
  void answersWhatTheReconcilerFound() {
    vanishElsewhere(askingRequest);

    BeginResult<@Nullable String> begun =
        once.begin(askingRequest.withReconciler(execution -> EffectState.happened("found")));

    assertThat(begun)
        .isEqualTo(new BeginResult.Answered<>(new Result.Replayed<>(key, "found", Headers.NONE)));
  }

  @Test
  void beginsWhenTheReconcilerFoundNothing() {
    vanishElsewhere(askingRequest);

    BeginResult<@Nullable String> begun =
        once.begin(askingRequest.withReconciler(execution -> EffectState.didNotHappen()));

    running(begun).complete("receipt 1");
    assertThat(recordNow().state()).isEqualTo(State.COMPLETED);
  }

  private BeginResult.Running<@Nullable String> begin(Request<@Nullable String> request) {
    return running(once.begin(request));
  }

  private static BeginResult.Running<@Nullable String> running(
      BeginResult<@Nullable String> begun) {
    assertThat(begun).isInstanceOf(BeginResult.Running.class);
    return (BeginResult.Running<@Nullable String>) begun;
  }

  private static boolean complete(BeginResult.Running<@Nullable String> running, String value) {
    running.complete(value);
    return true;
  }
}
