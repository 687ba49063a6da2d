package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.once.Codec;
import dev.once.EngineEvent;
import dev.once.Execution;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.spi.RecordStore;
import dev.once.spi.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One engine serves nested calls and parallel operations, and can be closed meanwhile. */
abstract class CallTests extends EngineTests {
  private static final int CALLERS_PER_OPERATION = 4;
  private static final int KEYS_PER_OPERATION = 1000;

  /** Thousands of calls over a network take longer than one. */
  private static final Duration PATIENCE_WITH_ALL = Duration.ofMinutes(2);

  CallTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void recordsNestedCallsEachUnderItsOwnKey() {
    Request<@Nullable String> inner = Request.of(newKey(), Codec.text());

    Result<@Nullable String> outer =
        once.run(request, execution -> "order with " + once.run(inner, this::charge).orThrow());

    assertThat(outer).isEqualTo(new Result.Executed<>(key, "order with receipt 1"));
    assertThat(once.run(request, MUST_NOT_RUN))
        .isEqualTo(new Result.Replayed<>(key, "order with receipt 1", Headers.NONE));
    assertThat(once.run(inner, MUST_NOT_RUN))
        .isEqualTo(new Result.Replayed<>(inner.key(), "receipt 1", Headers.NONE));
  }

  @Test
  void replaysTheInnerCallWhenTheOuterOneRunsAgain() {
    Request<@Nullable String> inner = Request.of(newKey(), Codec.text());
    assertThatThrownBy(
            () ->
                once.run(
                    request,
                    execution -> {
                      once.run(inner, this::charge);
                      throw new IllegalStateException("after the inner call");
                    }))
        .hasMessage("after the inner call");

    Result<@Nullable String> outer =
        once.run(request, execution -> once.run(inner, this::charge).orThrow());

    assertThat(outer).isEqualTo(new Result.Executed<>(key, "receipt 1"));
  }

  @Test
  void tellsACallNestedInItselfThatItsKeyIsHeld() {
    Request<@Nullable String> waiting =
        request.withTerms(Terms.DEFAULT.withMaxWait(Duration.ofMillis(20)));

    Result<@Nullable String> outer =
        once.run(
            request,
            execution -> {
              assertThat(once.run(request, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);
              assertThat(once.run(waiting, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);
              return "outer";
            });

    assertThat(outer).isEqualTo(new Result.Executed<>(key, "outer"));
  }

  @Test
  void keepsTwoOperationsInParallelApart() throws Exception {
    List<Future<?>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS_PER_OPERATION; i++) {
      callers.add(inBackground(callerOf("charge", i)));
      callers.add(inBackground(callerOf("mail", i)));
    }
    for (Future<?> caller : callers) {
      caller.get(PATIENCE_WITH_ALL.toSeconds(), TimeUnit.SECONDS);
    }

    assertThat(runs).hasValue(2 * KEYS_PER_OPERATION);
    assertThat(keysOf("charge"))
        .allSatisfy(it -> assertThat(stateOf(it)).isEqualTo(State.COMPLETED));
    assertThat(keysOf("mail")).allSatisfy(it -> assertThat(stateOf(it)).isEqualTo(State.COMPLETED));
  }

  @Test
  void waitsForRunningEffectsWhenItIsClosed() throws Exception {
    Gate gate = new Gate();
    Once draining = engine(store(), Deadline.PATIENCE);
    Future<Result<@Nullable String>> owner =
        inBackground(
            () ->
                draining.run(
                    request,
                    execution -> {
                      gate.pass();
                      return charge(execution);
                    }));
    gate.awaitReached();
    Future<Boolean> closing =
        inBackground(
            () -> {
              Thread.currentThread().interrupt(); // Does not shorten the wait.
              draining.close();
              return Thread.interrupted();
            });
    assertThatThrownBy(() -> runUntilClosed(draining)).isInstanceOf(IllegalStateException.class);

    gate.open();

    assertThat(soon(owner)).isEqualTo(new Result.Executed<>(key, "receipt 1"));
    assertThat(soon(closing)).as("the interrupt is still there").isTrue();
    assertThat(events.types()).doesNotContain(EngineEvent.LeaseLost.class);
  }

  @Test
  void tellsEffectsThatStillRunWhenItIsClosed() throws Exception {
    Gate gate = new Gate();
    AtomicReference<Execution> seen = new AtomicReference<>();
    Future<Throwable> owner =
        inBackground(
            () ->
                catchThrowable(
                    () ->
                        once.run(
                            request,
                            execution -> {
                              seen.set(execution);
                              gate.pass();
                              return "never";
                            })));
    gate.awaitReached();

    once.close();

    assertThat(soon(owner)).isInstanceOf(InterruptedException.class);
    assertThat(seen.get().leaseLost()).isTrue();
    assertThat(events.await(EngineEvent.LeaseLost.class).cause())
        .hasMessage("the engine was closed while the effect ran");
  }

  @Test
  void closesAfterAFailedEffectHasGivenItsKeyBack() {
    ClosingStore closing = new ClosingStore(store());
    Once engine = engine(closing, Deadline.PATIENCE);
    closing.engine = engine;

    assertThatThrownBy(
            () ->
                engine.run(
                    request,
                    execution -> {
                      throw new IllegalStateException("did not happen");
                    }))
        .hasMessage("did not happen");

    assertThat(closing.waited).isTrue();
    assertThat(stateOf(key)).isEqualTo(State.OPEN);
  }

  /** Closes the engine while a release is on its way to the store. */
  private final class ClosingStore extends InterceptedStore {
    private @Nullable Once engine;
    private boolean waited;

    ClosingStore(RecordStore store) {
      super(store);
    }

    @Override
    <R> R around(Call call, Supplier<R> answer) {
      Once closed = engine;
      if (call == Call.RELEASE && closed != null) {
        Future<Boolean> closing = inBackground(() -> closed(closed));
        waited = isRunningAfterAMoment(closing);
      }
      return answer.get();
    }

    private static boolean isRunningAfterAMoment(Future<?> task) {
      try {
        task.get(100, TimeUnit.MILLISECONDS);
        return false;
      } catch (TimeoutException e) {
        return true;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void recordsAnEffectThatOutlivesItsEngine() {
    Result<@Nullable String> result =
        once.run(
            request,
            execution -> {
              once.close();
              return charge(execution);
            });

    assertThat(result).isEqualTo(new Result.Executed<>(key, "receipt 1"));
    assertThat(engine(store()).run(request, MUST_NOT_RUN))
        .isEqualTo(new Result.Replayed<>(key, "receipt 1", Headers.NONE));
  }

  @Test
  void holdsNoKeyForAClosedEngine() {
    once.close();

    assertThatThrownBy(() -> once.run(request, MUST_NOT_RUN)).isInstanceOf(RuntimeException.class);
    assertThat(engine(store()).run(request, this::charge))
        .isEqualTo(new Result.Executed<>(key, "receipt 1"));
  }

  /** Calls an operation for each of its keys; each caller begins with another key. */
  private Callable<Integer> callerOf(String operation, int caller) {
    return () -> {
      List<Key> keys = new ArrayList<>(keysOf(operation));
      Collections.rotate(keys, caller * KEYS_PER_OPERATION / CALLERS_PER_OPERATION);
      for (Key each : keys) {
        assertThat(answerFor(each)).isEqualTo(each.scope() + each.value());
      }
      return caller;
    };
  }

  private @Nullable String answerFor(Key key) {
    Request<@Nullable String> patient =
        Request.of(key, Codec.text()).withTerms(Terms.DEFAULT.withMaxWait(Deadline.PATIENCE));
    return once.run(
            patient,
            execution -> {
              runs.incrementAndGet();
              return execution.key().scope() + execution.key().value();
            })
        .orThrow();
  }

  private List<Key> keysOf(String operation) {
    return IntStream.range(0, KEYS_PER_OPERATION)
        .mapToObj(i -> new Key(key.tenant(), operation, key.value() + "/" + i))
        .toList();
  }

  private State stateOf(Key key) {
    return store().find(key).orElseThrow().state();
  }

  private static boolean closed(Once engine) {
    engine.close();
    return true;
  }

  /** Calls with other keys until the engine, which is being closed, refuses them. */
  private void runUntilClosed(Once engine) {
    Deadline deadline = Deadline.start();
    while (true) {
      deadline.leftMillis(() -> "the engine took calls while it was closed");
      engine.run(Request.of(newKey(), Codec.text()), execution -> "early");
    }
  }
}
