package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.once.Effect;
import dev.once.EngineEvent;
import dev.once.Execution;
import dev.once.Headers;
import dev.once.LeaseLostException;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An owner is interrupted when another took its key over, and its late result is refused. */
abstract class LeaseTests extends EngineTests {
  private final Request<@Nullable String> shortRequest =
      request.withTerms(Terms.DEFAULT.withLease(Terms.MIN_LEASE));

  private final Gate gate = new Gate();
  private final Gate lateGate = new Gate();

  LeaseTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void interruptsAnEffectWhoseLeaseIsLost() throws Exception {
    AtomicReference<Execution> seen = new AtomicReference<>();
    Future<Throwable> owner =
        inBackground(() -> catchThrowable(() -> once.run(shortRequest, blocked(seen))));
    gate.awaitReached();

    takeOver(shortRequest);

    assertThat(soon(owner)).isInstanceOf(InterruptedException.class);
    assertThat(seen.get().leaseLost()).isTrue();
  }

  @Test
  void tellsTheListenerOfALostLease() throws Exception {
    AtomicReference<Execution> seen = new AtomicReference<>();
    Future<Throwable> owner =
        inBackground(() -> catchThrowable(() -> once.run(shortRequest, blocked(seen))));
    gate.awaitReached();

    takeOver(shortRequest);
    soon(owner);

    EngineEvent.LeaseLost event = events.await(EngineEvent.LeaseLost.class);
    assertThat(event.key()).isEqualTo(key);
    assertThat(event.fence()).isEqualTo(seen.get().fence());
  }

  @Test
  void takesItsOwnInterruptBack() throws Exception {
    Future<Boolean> interrupted =
        inBackground(
            () -> {
              Throwable end = catchThrowable(() -> once.run(shortRequest, this::chargeWhenLost));
              assertThat(end).isInstanceOf(LeaseLostException.class);
              return Thread.currentThread().isInterrupted();
            });
    gate.awaitReached();

    takeOver(shortRequest);
    lateGate.open();

    assertThat(soon(interrupted)).isFalse();
  }

  @Test
  void tellsTheListenerOnceWhenTheLateResultIsRefusedToo() throws Exception {
    Future<Throwable> owner =
        inBackground(() -> catchThrowable(() -> once.run(shortRequest, this::chargeWhenLost)));
    gate.awaitReached();

    takeOver(shortRequest);
    lateGate.open();

    assertThat(soon(owner)).isInstanceOf(LeaseLostException.class);
    assertThat(events.types())
        .containsExactly(EngineEvent.Granted.class, EngineEvent.LeaseLost.class);
  }

  @Test
  void refusesTheLateResultOfAPausedOwner() throws Exception {
    Future<Throwable> owner = inBackground(() -> catchThrowable(() -> once.run(request, paused())));
    gate.awaitReached();
    elapse(request.terms().lease());
    Result<@Nullable String> successor = once.run(request, execution -> "of the successor");

    gate.open();

    assertThat(soon(owner)).isInstanceOf(LeaseLostException.class);
    assertThat(successor).isEqualTo(new Result.Executed<>(key, "of the successor"));
    assertThat(once.run(request, MUST_NOT_RUN))
        .isEqualTo(new Result.Replayed<>(key, "of the successor", Headers.NONE));
  }

  @Test
  void refusesTheLateReleaseOfAPausedOwner() throws Exception {
    IllegalStateException failure = new IllegalStateException("too late");
    Future<Throwable> owner =
        inBackground(
            () ->
                catchThrowable(
                    () ->
                        once.run(
                            request,
                            execution -> {
                              gate.pass();
                              throw failure;
                            })));
    gate.awaitReached();
    elapse(request.terms().lease());
    long successor = ownElsewhere(request).fence();

    gate.open();

    assertThat(soon(owner)).isSameAs(failure);
    assertThat(failure.getSuppressed()).hasOnlyElementsOfType(LeaseLostException.class);
    assertThat(recordNow().fence()).isEqualTo(successor);
    assertThat(once.run(request, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);
  }

  @Test
  void acceptsALateResultWithoutATakeOver() throws Exception {
    Future<Result<@Nullable String>> owner = inBackground(() -> once.run(request, paused()));
    gate.awaitReached();
    elapse(request.terms().lease());

    gate.open();

    assertThat(soon(owner)).isEqualTo(new Result.Executed<>(key, "of the paused owner"));
  }

  /** Blocks until it is interrupted. */
  private Effect<@Nullable String, InterruptedException> blocked(AtomicReference<Execution> seen) {
    return execution -> {
      seen.set(execution);
      gate.pass();
      return "never";
    };
  }

  private Effect<@Nullable String, InterruptedException> paused() {
    return execution -> {
      gate.pass();
      return "of the paused owner";
    };
  }

  /** Continues after the interrupt, when it is too late. */
  private @Nullable String chargeWhenLost(Execution execution) throws InterruptedException {
    try {
      gate.pass();
      throw new AssertionError("the effect was not interrupted");
    } catch (InterruptedException e) {
      events.await(EngineEvent.LeaseLost.class);
      lateGate.pass();
      Thread.currentThread().interrupt();
      return charge(execution);
    }
  }
}
