package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.once.Codec;
import dev.once.Effect;
import dev.once.Execution;
import dev.once.Headers;
import dev.once.LeaseLostException;
import dev.once.OnceEvent;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.testkit.InterceptedStore.Call;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A lease is renewed for as long as its effect runs, and its loss is noticed. */
abstract class LeaseTests extends EngineTests {
  /** Long enough that a busy machine does not lose it, short enough to see it renewed. */
  private static final Duration KEPT = Duration.ofSeconds(3);

  private final Request<@Nullable String> keptRequest =
      request.withTerms(Terms.DEFAULT.withLease(KEPT));

  /** For tests in which the lease is lost anyway. */
  private final Request<@Nullable String> shortRequest =
      request.withTerms(Terms.DEFAULT.withLease(Terms.MIN_LEASE));

  private final Gate gate = new Gate();
  private final Gate lateGate = new Gate();

  LeaseTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void keepsALeaseForLongerThanItsLength() throws InterruptedException {
    ObservedStore observed = new ObservedStore(store());

    Result<@Nullable String> result =
        engine(observed)
            .run(
                keptRequest,
                execution -> {
                  for (int beat = 1; beat <= 3; beat++) {
                    observed.await(Call.RENEW, beat);
                    assertThat(once.run(keptRequest, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);
                    elapse(KEPT.dividedBy(3).multipliedBy(2));
                  }
                  return "kept";
                });

    assertThat(result).isEqualTo(new Result.Executed<>(key, "kept"));
  }

  @Test
  void keepsALeaseWhenTwoRenewalsFail() throws InterruptedException {
    // The third try comes when the lease is nearly over, so this lease leaves more time for a
    // pause.
    Terms terms = Terms.DEFAULT.withLease(KEPT.multipliedBy(2));
    ObservedStore observed = new ObservedStore(store());
    FailingStore shaky = new FailingStore(observed).losingRequests(Call.RENEW, 2);

    Result<@Nullable String> result =
        engine(shaky).run(request.withTerms(terms), execution -> awaitRenewals(observed, 1));

    assertThat(result).isEqualTo(new Result.Executed<>(key, "renewed"));
    assertThat(events.types()).containsExactly(OnceEvent.Granted.class, OnceEvent.Completed.class);
  }

  @Test
  void stopsRenewingWhenTheEffectIsDone() throws InterruptedException {
    ObservedStore observed = new ObservedStore(store());
    ObservedStore slower = new ObservedStore(store());
    Request<@Nullable String> other = Request.of(newKey(), Codec.text());
    engine(observed).run(shortRequest, this::charge);
    int renewals = observed.count(Call.RENEW);

    // By the first beat of a long lease, the short one would have had many beats.
    engine(slower).run(other.withTerms(keptRequest.terms()), execution -> awaitRenewals(slower, 1));

    assertThat(observed.count(Call.RENEW)).as("one may be on its way").isLessThan(renewals + 2);
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

    OnceEvent.LeaseLost event = events.await(OnceEvent.LeaseLost.class);
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
    assertThat(events.types()).containsExactly(OnceEvent.Granted.class, OnceEvent.LeaseLost.class);
  }

  @Test
  void noticesALostLeaseWhileTheStoreHangs() throws InterruptedException {
    AtomicReference<Execution> seen = new AtomicReference<>();

    assertThatThrownBy(() -> engine(new HangingStore(store())).run(shortRequest, blocked(seen)))
        .isInstanceOf(InterruptedException.class);

    assertThat(seen.get().leaseLost()).isTrue();
    assertThat(events.await(OnceEvent.LeaseLost.class).cause())
        .hasMessage("no heartbeat reached the store for " + Terms.MIN_LEASE);
  }

  @Test
  void noticesALostLeaseWhileTheStoreFails() {
    AtomicReference<Execution> seen = new AtomicReference<>();
    FailingStore broken = new FailingStore(store()).losingRequests(Call.RENEW, FailingStore.ALWAYS);

    assertThatThrownBy(() -> engine(broken).run(shortRequest, blocked(seen)))
        .isInstanceOf(InterruptedException.class);

    assertThat(seen.get().leaseLost()).isTrue();
  }

  /** An effect that hangs must not hold its key for ever. */
  @Test
  void interruptsAnEffectThatRunsForTooLong() throws InterruptedException {
    AtomicReference<Execution> seen = new AtomicReference<>();
    Terms terms = keptRequest.terms().withLease(Duration.ofMillis(400));
    Request<@Nullable String> limited =
        request.withTerms(terms.withMaxRunTime(Duration.ofMillis(600)));

    assertThatThrownBy(() -> once.run(limited, blocked(seen)))
        .isInstanceOf(InterruptedException.class);

    assertThat(seen.get().leaseLost()).isTrue();
    assertThat(events.await(OnceEvent.LeaseLost.class).cause())
        .hasMessage("the effect has run for longer than its maximum run time of PT0.6S");
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
      events.await(OnceEvent.LeaseLost.class);
      lateGate.pass();
      Thread.currentThread().interrupt();
      return charge(execution);
    }
  }

  private static String awaitRenewals(ObservedStore store, int times) throws InterruptedException {
    store.await(Call.RENEW, times);
    return "renewed";
  }
}
