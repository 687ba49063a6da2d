package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.EngineEvent;
import dev.once.Execution;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Once;
import dev.once.OnceException;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import dev.once.spi.State;
import dev.once.testkit.InterceptedStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The store executed a call, but its answer was lost: no effect runs twice because of this, and no
 * key without an owner stays held or uncertain. {@link StoreFailureTests} has more tests of claims
 * and completions.
 */
abstract class LostAnswerTests extends EngineTests {
  private static final int CALLERS = 4;
  private static final int KEYS = 36;

  /** One in so many answers is lost. */
  private static final int ODDS = 4;

  private static final Duration PATIENCE_WITH_ALL = Duration.ofSeconds(60);

  private final Map<Key, Integer> started = new ConcurrentHashMap<>();
  private final Map<Key, Integer> executed = new ConcurrentHashMap<>();

  LostAnswerTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void executesAgainAtOnceWhenTheAnswerToAReleaseIsLost() {
    FailingStore shaky = new FailingStore(store()).losingAnswers(Call.RELEASE, 1);
    IllegalStateException failure = new IllegalStateException("did not happen");
    assertThatThrownBy(
            () ->
                engine(shaky)
                    .run(
                        request,
                        execution -> {
                          throw failure;
                        }))
        .isSameAs(failure);

    assertThat(once.run(request, this::charge)).isEqualTo(new Result.Executed<>(key, "receipt 1"));
  }

  @Test
  void givesTheKeyBackLaterWhenTheReleaseIsLost() throws InterruptedException {
    ObservedStore observed = new ObservedStore(store());
    FailingStore shaky = new FailingStore(observed).losingRequests(Call.RELEASE, 2);
    assertThatThrownBy(
            () ->
                engine(shaky)
                    .run(
                        askingRequest.withFailurePolicy(failure -> EffectState.didNotHappen()),
                        execution -> {
                          throw new IllegalStateException("did not happen");
                        }))
        .hasMessage("did not happen");

    observed.await(Call.RELEASE, 1);
    assertThat(once.run(askingRequest, this::charge))
        .isEqualTo(new Result.Executed<>(key, "receipt 1"));
  }

  /** The owner may still record its outcome: no caller is there to execute again. */
  @Test
  void leavesALapsedLeaseToItsOwnerWhenItWithdrawsAClaim() throws InterruptedException {
    Claim.Granted owner = vanishElsewhere(request);
    ObservedStore observed = new ObservedStore(store());
    FailingStore shaky = new FailingStore(observed).losingRequests(Call.CLAIM, 3);
    assertThatThrownBy(() -> engine(shaky).run(request, MUST_NOT_RUN))
        .isInstanceOf(StoreException.class);
    observed.await(Call.CLAIM, 1);

    store().complete(owner, Outcomes.FIRST, request.terms().retention());

    assertThat(recordNow().fence()).isEqualTo(owner.fence());
  }

  /** The answer to the claim came after its lease ended, and nothing has run under it. */
  @Test
  void givesTheKeyBackWhenALateGrantCannotBeRenewed() throws InterruptedException {
    ObservedStore observed = new ObservedStore(store());
    FailingStore shaky = new FailingStore(observed).losingAnswers(Call.RENEW, FailingStore.ALWAYS);
    Terms terms = askingRequest.terms().withLease(Terms.MIN_LEASE);

    assertThatThrownBy(
            () -> engine(new SlowClaims(shaky)).run(askingRequest.withTerms(terms), MUST_NOT_RUN))
        .isInstanceOf(OnceException.class);

    observed.await(Call.RELEASE, 1);
    assertThat(once.run(askingRequest, this::charge))
        .isEqualTo(new Result.Executed<>(key, "receipt 1"));
  }

  /** Answers a claim after its lease. */
  private static final class SlowClaims extends InterceptedStore {
    SlowClaims(RecordStore store) {
      super(store);
    }

    @Override
    <R> R around(Call call, Supplier<R> answer) {
      R given = answer.get();
      if (call == Call.CLAIM) {
        long end = System.nanoTime() + Terms.MIN_LEASE.toNanos();
        while (System.nanoTime() - end < 0) {
          Thread.onSpinWait();
        }
      }
      return given;
    }
  }

  @Test
  void canBeReconciledAtOnceWhenTheAnswerToAnAbandonedGrantIsLost() {
    FailingStore shaky = new FailingStore(store()).losingAnswers(Call.RENEW, 1);
    assertThatThrownBy(
            () ->
                engine(shaky)
                    .run(
                        askingRequest,
                        execution -> {
                          throw new IllegalStateException("may have happened");
                        }))
        .hasMessage("may have happened");

    Result<@Nullable String> result =
        once.run(askingRequest.withReconciler(it -> EffectState.happened("found")), MUST_NOT_RUN);

    assertThat(result).isEqualTo(new Result.Replayed<>(key, "found", Headers.NONE));
  }

  /**
   * Callers retry until they have the answer. Every second effect fails at first, and every third
   * key had an earlier owner with a lease that ran out.
   */
  @Test
  void executesEachEffectOnceWhenAnswersAreLostAtEveryStep() throws Exception {
    List<Key> keys = IntStream.range(0, KEYS).mapToObj(i -> newKey()).toList();
    for (int i = 0; i < KEYS; i += 3) {
      ownElsewhere(asking(keys.get(i), true));
    }
    elapse(askingRequest.terms().lease());
    Once engine = engine(new FailingStore(store()).losingAnswersAtRandom(42, ODDS));
    List<Future<Integer>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(inBackground(() -> answersOf(engine, keys)));
    }
    for (Future<Integer> caller : callers) {
      assertThat(caller.get(PATIENCE_WITH_ALL.toSeconds(), TimeUnit.SECONDS)).isEqualTo(KEYS);
    }

    assertThat(executed).hasSize(KEYS).allSatisfy((key, times) -> assertThat(times).isEqualTo(1));
    assertThat(keys)
        .allSatisfy(
            it -> assertThat(store().find(it).orElseThrow().state()).isEqualTo(State.COMPLETED));
    assertThat(events.types())
        .doesNotContain(EngineEvent.OutcomeUnknown.class, EngineEvent.LeaseLost.class);
  }

  private int answersOf(Once engine, List<Key> keys) throws InterruptedException {
    for (int i = 0; i < KEYS; i++) {
      Request<@Nullable String> asking = asking(keys.get(i), i % 3 == 0);
      boolean failing = i % 2 == 0;
      assertThat(answerOf(engine, asking, failing)).isEqualTo("receipt of " + asking.key());
    }
    return keys.size();
  }

  private @Nullable String answerOf(Once engine, Request<@Nullable String> asking, boolean failing)
      throws InterruptedException {
    Deadline deadline = Deadline.start();
    while (true) {
      deadline.leftMillis(() -> asking.key() + " is held without an owner");
      try {
        Result<@Nullable String> result = engine.run(asking, it -> execute(it, failing));
        if (!(result instanceof Result.Held)) {
          return result.orThrow();
        }
      } catch (StoreException | DidNotHappen e) {
        // The caller retries.
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private @Nullable String execute(Execution execution, boolean failing) {
    int times = started.merge(execution.key(), 1, Integer::sum);
    if (failing && times == 1) {
      throw new DidNotHappen();
    }
    executed.merge(execution.key(), 1, Integer::sum);
    return "receipt of " + execution.key();
  }

  private Request<@Nullable String> asking(Key key, boolean vanished) {
    return Request.of(key, Codec.text())
        .withTerms(askingRequest.terms())
        .withFailurePolicy(failure -> EffectState.didNotHappen())
        .withReconciler(
            execution -> {
              assertThat(vanished).as("%s had an owner that vanished", key).isTrue();
              return EffectState.didNotHappen();
            });
  }

  private static final class DidNotHappen extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
