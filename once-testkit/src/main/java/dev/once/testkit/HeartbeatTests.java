package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.once.Codec;
import dev.once.Effect;
import dev.once.EngineEvent;
import dev.once.Execution;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.spi.OutcomeCache;
import dev.once.testkit.InterceptedStore.Call;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A lease is renewed for as long as its effect runs, and an owner that cannot renew it notices. The
 * heartbeat has a real clock and does not use the cache, so these tests, which take seconds, run
 * without one.
 */
abstract class HeartbeatTests extends EngineTests {
  /** Long enough that a busy machine does not lose it, short enough to see it renewed. */
  private static final Duration KEPT = Duration.ofSeconds(3);

  private final StoreUnderTest subject;
  private final Request<@Nullable String> keptRequest =
      request.withTerms(Terms.DEFAULT.withLease(KEPT));

  /** For tests in which the lease is lost anyway. */
  private final Request<@Nullable String> shortRequest =
      request.withTerms(Terms.DEFAULT.withLease(Terms.MIN_LEASE));

  HeartbeatTests(StoreUnderTest subject) {
    super(subject);
    this.subject = subject;
  }

  @BeforeEach
  void requireNoCache() {
    assumeTrue(subject.cache().equals(OutcomeCache.NONE), "a cache changes nothing here");
  }

  @Test
  void keepsALeaseForLongerThanItsLength() throws InterruptedException {
    ObservedStore observed = new ObservedStore(store());

    Result<@Nullable String> result =
        engine(observed)
            .run(
                keptRequest,
                execution -> {
                  for (int beat = 1; beat <= 2; beat++) {
                    elapse(KEPT.dividedBy(3).multipliedBy(2));
                    observed.await(Call.RENEW, beat);
                    assertThat(once.run(keptRequest, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);
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
    assertThat(events.types())
        .containsExactly(EngineEvent.Granted.class, EngineEvent.Completed.class);
  }

  @Test
  void keepsALeaseWhenTheAnswersToTwoRenewalsAreLost() throws InterruptedException {
    ObservedStore observed = new ObservedStore(store());
    FailingStore shaky = new FailingStore(observed).losingAnswers(Call.RENEW, 2);

    Result<@Nullable String> result =
        engine(shaky).run(keptRequest, execution -> awaitRenewals(observed, 3));

    assertThat(result).isEqualTo(new Result.Executed<>(key, "renewed"));
    assertThat(events.types())
        .containsExactly(EngineEvent.Granted.class, EngineEvent.Completed.class);
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
  void noticesALostLeaseWhileTheStoreHangs() throws InterruptedException {
    AtomicReference<Execution> seen = new AtomicReference<>();

    assertThatThrownBy(() -> engine(new HangingStore(store())).run(shortRequest, blocked(seen)))
        .isInstanceOf(InterruptedException.class);

    assertThat(seen.get().leaseLost()).isTrue();
    assertThat(events.await(EngineEvent.LeaseLost.class).cause())
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
    assertThat(events.await(EngineEvent.LeaseLost.class).cause())
        .hasMessage("the effect has run for longer than its maximum run time of PT0.6S");
  }

  /** Waits until it is interrupted. */
  private static Effect<@Nullable String, InterruptedException> blocked(
      AtomicReference<Execution> seen) {
    return execution -> {
      seen.set(execution);
      new CountDownLatch(1).await();
      return "never";
    };
  }

  private static String awaitRenewals(ObservedStore store, int times) throws InterruptedException {
    store.await(Call.RENEW, times);
    return "renewed";
  }
}
