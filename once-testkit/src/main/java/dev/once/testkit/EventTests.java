package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.once.Effect;
import dev.once.EffectState;
import dev.once.EngineEvent;
import dev.once.Fingerprint;
import dev.once.Headers;
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

    assertThat(events.types())
        .containsExactly(EngineEvent.Granted.class, EngineEvent.Completed.class);
    long fence = recordNow().fence();
    assertThat(events.all().get(0)).isEqualTo(new EngineEvent.Granted(key, fence, 1));
    EngineEvent.Completed completed = events.last(EngineEvent.Completed.class);
    assertThat(completed).isEqualTo(new EngineEvent.Completed(key, fence, false, completed.took()));
    assertThat(completed.took()).isBetween(Duration.ZERO, Deadline.PATIENCE);
  }

  @Test
  void hearsOfAReplay() {
    Headers correlation = Headers.NONE.with("trace-id", "first");
    Request<@Nullable String> traced = request.withCorrelation(correlation);
    once.run(traced, this::charge);

    once.run(traced, this::charge);

    assertThat(events.all()).hasSize(3).endsWith(new EngineEvent.Replayed(key, correlation));
  }

  @Test
  void hearsOfAHeldKey() {
    ownElsewhere(request);

    once.run(request, this::charge);

    assertThat(events.types()).containsExactly(EngineEvent.Held.class);
    assertThat(events.last(EngineEvent.Held.class).leaseLeft()).isPositive();
  }

  @Test
  void hearsOfAMismatch() {
    ownElsewhere(request.withFingerprint(Fingerprint.sha256("one")));

    once.run(request.withFingerprint(Fingerprint.sha256("two")), this::charge);

    assertThat(events.all()).containsExactly(new EngineEvent.Mismatched(key));
  }

  @Test
  void hearsOfAnUncertainKey() {
    vanishElsewhere(askingRequest);

    once.run(askingRequest, this::charge);

    assertThat(events.all()).containsExactly(new EngineEvent.Uncertain(key));
  }

  @Test
  void hearsOfARelease() {
    Throwable failure = failWith(new IllegalStateException("no"), request);

    long fence = recordNow().fence();
    assertThat(events.all())
        .containsExactly(
            new EngineEvent.Granted(key, fence, 1), new EngineEvent.Released(key, fence, failure));
  }

  @Test
  void hearsOfAnAbandonedKey() {
    Throwable failure = failWith(new IllegalStateException("may have happened"), askingRequest);

    long fence = recordNow().fence();
    assertThat(events.all())
        .containsExactly(
            new EngineEvent.Granted(key, fence, 1), new EngineEvent.Abandoned(key, fence, failure));
  }

  @Test
  void hearsOfAFinalFailure() {
    once.run(
        request.withFailurePolicy(thrown -> EffectState.failed("declined")),
        execution -> {
          throw new IllegalStateException("no");
        });

    assertThat(events.types())
        .containsExactly(EngineEvent.Granted.class, EngineEvent.Completed.class);
    assertThat(events.last(EngineEvent.Completed.class).failed()).isTrue();
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

    assertThat(events.types())
        .containsExactly(EngineEvent.Granted.class, EngineEvent.LeaseLost.class);
    assertThat(events.last(EngineEvent.LeaseLost.class).cause()).isSameAs(end);
  }

  @Test
  void hearsOfAnUnknownOutcome() {
    FailingStore broken =
        new FailingStore(store()).losingRequests(Call.COMPLETE, FailingStore.ALWAYS);

    assertThatThrownBy(() -> engine(broken).run(impatientRequest, this::charge))
        .isInstanceOf(OutcomeUnknownException.class);

    assertThat(events.types())
        .containsExactly(EngineEvent.Granted.class, EngineEvent.OutcomeUnknown.class);
    assertThat(events.last(EngineEvent.OutcomeUnknown.class).cause())
        .isInstanceOf(StoreException.class);
  }

  @Test
  void hearsOfAReconciliation() {
    vanishElsewhere(askingRequest);

    once.run(
        askingRequest.withReconciler(execution -> EffectState.happened("found")), this::charge);

    assertThat(events.types())
        .containsExactly(EngineEvent.Granted.class, EngineEvent.Completed.class);
  }

  @Test
  void hearsOfAReconcilerThatCannotTell() {
    vanishElsewhere(askingRequest);

    once.run(askingRequest.withReconciler(execution -> EffectState.unknown()), this::charge);

    assertThat(events.types())
        .containsExactly(EngineEvent.Granted.class, EngineEvent.Uncertain.class);
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
