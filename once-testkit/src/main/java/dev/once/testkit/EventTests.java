package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.once.Effect;
import dev.once.EffectState;
import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.OnceEvent;
import dev.once.OutcomeUnknownException;
import dev.once.Request;
import dev.once.StoreException;
import dev.once.testkit.InterceptedStore.Call;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The listener receives an event for everything that happened, once and in order. */
abstract class EventTests extends EngineTests {
  EventTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void hearsOfAnExecution() {
    once.run(request, this::charge);

    assertThat(events.types()).containsExactly(OnceEvent.Granted.class, OnceEvent.Completed.class);
    long fence = recordNow().fence();
    assertThat(events.all().get(0)).isEqualTo(new OnceEvent.Granted(key, fence, 1));
    OnceEvent.Completed completed = events.last(OnceEvent.Completed.class);
    assertThat(completed).isEqualTo(new OnceEvent.Completed(key, fence, false, completed.took()));
    assertThat(completed.took()).isBetween(Duration.ZERO, Deadline.PATIENCE);
  }

  @Test
  void hearsOfAReplay() {
    Headers correlation = Headers.NONE.with("trace-id", "first");
    Request<@Nullable String> traced = request.withCorrelation(correlation);
    once.run(traced, this::charge);

    once.run(traced, this::charge);

    assertThat(events.all()).hasSize(3).endsWith(new OnceEvent.Replayed(key, correlation));
  }

  @Test
  void hearsOfAHeldKey() {
    ownElsewhere(request);

    once.run(request, this::charge);

    assertThat(events.types()).containsExactly(OnceEvent.Held.class);
    assertThat(events.last(OnceEvent.Held.class).leaseLeft()).isPositive();
  }

  @Test
  void hearsOfAMismatch() {
    ownElsewhere(request.withFingerprint(Fingerprint.sha256("one")));

    once.run(request.withFingerprint(Fingerprint.sha256("two")), this::charge);

    assertThat(events.all()).containsExactly(new OnceEvent.Mismatched(key));
  }

  @Test
  void hearsOfAnUncertainKey() {
    vanishElsewhere(askingRequest);

    once.run(askingRequest, this::charge);

    assertThat(events.all()).containsExactly(new OnceEvent.Uncertain(key));
  }

  @Test
  void hearsOfARelease() {
    Throwable failure = failWith(new IllegalStateException("no"), request);

    long fence = recordNow().fence();
    assertThat(events.all())
        .containsExactly(
            new OnceEvent.Granted(key, fence, 1), new OnceEvent.Released(key, fence, failure));
  }

  @Test
  void hearsOfAnAbandonedKey() {
    Throwable failure = failWith(new IllegalStateException("may have happened"), askingRequest);

    long fence = recordNow().fence();
    assertThat(events.all())
        .containsExactly(
            new OnceEvent.Granted(key, fence, 1), new OnceEvent.Abandoned(key, fence, failure));
  }

  @Test
  void hearsOfAFinalFailure() {
    once.run(
        request.withFailurePolicy(thrown -> EffectState.failed("declined")),
        execution -> {
          throw new IllegalStateException("no");
        });

    assertThat(events.types()).containsExactly(OnceEvent.Granted.class, OnceEvent.Completed.class);
    assertThat(events.last(OnceEvent.Completed.class).failed()).isTrue();
  }

  @Test
  void hearsOfALeaseThatWasLostUnnoticed() {
    Throwable end =
        catchThrowable(
            () ->
                once.run(
                    request,
                    execution -> {
                      takeOver(request);
                      return "too late";
                    }));

    assertThat(events.types()).containsExactly(OnceEvent.Granted.class, OnceEvent.LeaseLost.class);
    assertThat(events.last(OnceEvent.LeaseLost.class).cause()).isSameAs(end);
  }

  @Test
  void hearsOfAnUnknownOutcome() {
    FailingStore broken =
        new FailingStore(store()).losingRequests(Call.COMPLETE, FailingStore.ALWAYS);

    assertThatThrownBy(() -> engine(broken).run(impatientRequest, this::charge))
        .isInstanceOf(OutcomeUnknownException.class);

    assertThat(events.types())
        .containsExactly(OnceEvent.Granted.class, OnceEvent.OutcomeUnknown.class);
    assertThat(events.last(OnceEvent.OutcomeUnknown.class).cause())
        .isInstanceOf(StoreException.class);
  }

  @Test
  void hearsOfAReconciliation() {
    vanishElsewhere(askingRequest);

    once.run(
        askingRequest.withReconciler(execution -> EffectState.happened("found")), this::charge);

    assertThat(events.types()).containsExactly(OnceEvent.Granted.class, OnceEvent.Completed.class);
  }

  @Test
  void hearsOfAReconcilerThatCannotTell() {
    vanishElsewhere(askingRequest);

    once.run(askingRequest.withReconciler(execution -> EffectState.unknown()), this::charge);

    assertThat(events.types()).containsExactly(OnceEvent.Granted.class, OnceEvent.Uncertain.class);
  }

  private Throwable failWith(RuntimeException failure, Request<@Nullable String> request) {
    Effect<@Nullable String, RuntimeException> failing =
        execution -> {
          throw failure;
        };
    assertThatThrownBy(() -> once.run(request, failing)).isSameAs(failure);
    return failure;
  }
}
