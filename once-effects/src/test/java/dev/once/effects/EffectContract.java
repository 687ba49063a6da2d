package dev.once.effects;

import static dev.once.effects.TestEvents.changed;
import static dev.once.effects.TestEvents.deleted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.ConsumerEvent;
import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventEffect;
import dev.once.events.EventExecution;
import dev.once.events.EventRetryPolicy;
import dev.once.events.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What every effect promises, with consumers as processes have them. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
abstract class EffectContract {
  private static final int CONSUMERS = 3;
  private static final int RUNS = 3;
  private static final EventRetryPolicy PATIENT =
      EventRetryPolicy.SKIP
          .withAttempts(1000)
          .withDelays(Duration.ofMillis(1), Duration.ofMillis(20));

  private final String handler = "effects-" + UUID.randomUUID();
  private final String order = "o-" + UUID.randomUUID();
  private final List<EventConsumer> consumers = new ArrayList<>();
  private final List<ConsumerEvent> reports = new CopyOnWriteArrayList<>();
  private EffectTarget target = newTarget();

  abstract EffectTarget newTarget();

  @AfterEach
  void closeAll() {
    consumers.forEach(EventConsumer::close);
    target.close();
  }

  @Test
  void shufflesDuplicatesAndFailuresConvergeWithARegistry() throws Exception {
    TestRegistry registry = new TestRegistry();

    converge(it -> it.registry(registry.events()));
  }

  @Test
  void shufflesDuplicatesAndFailuresConvergeWithoutARegistry() throws Exception {
    converge(EventConsumer.Builder::withoutRegistry);
  }

  @Test
  void aDuplicateChangesNothing() throws Exception {
    EventEffect effect = target.newEffect();
    effect.apply(changed(order, 1), new EventExecution(1, 1));
    effect.apply(changed(order, 2), new EventExecution(1, 1));

    effect.apply(changed(order, 1), new EventExecution(2, 2));
    effect.apply(changed(order, 2), new EventExecution(2, 2));

    assertThat(target.state(order)).contains("{\"count\":2}");
  }

  @Test
  void aLateEventDoesNotBringADeletedOneBack() throws Exception {
    EventEffect effect = target.newEffect();
    effect.apply(deleted(order, 3), new EventExecution(1, 1));

    effect.apply(changed(order, 2), new EventExecution(1, 1));
    effect.apply(changed(order, 1), new EventExecution(1, 1));

    assertThat(target.state(order)).isEmpty();
    effect.apply(changed(order, 4), new EventExecution(1, 1));
    assertThat(target.state(order)).contains("{\"count\":4}");
  }

  @Test
  void anotherConsumerTakesOverFromOneThatClosesDuringItsCall() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    EventEffect effect = target.newEffect();
    EventEffect observed =
        (event, execution) -> {
          started.countDown();
          effect.apply(event, execution);
        };
    EffectTarget.HeldCall call = target.hold();
    EventConsumer first = start(observed, it -> it.registry(new TestRegistry().events()));
    CompletableFuture<Settlement> settlement = first.submit(changed(order, 1));
    Await.latch(started, "the effect started");
    call.awaitArrival();
    first.close();

    call.release(); // The call of an owner that is not there any more takes effect.
    EventConsumer second =
        start(target.newEffect(), it -> it.registry(new TestRegistry().events()));
    handle(second.submit(List.of(changed(order, 1), changed(order, 2))));

    assertThat(settlement.get()).isInstanceOf(Settlement.Open.class);
    assertThat(reports).as("It was released.").noneMatch(ConsumerEvent.Failed.class::isInstance);
    assertThat(target.state(order)).contains("{\"count\":2}");
  }

  @Test
  void anOwnerThatResumesAfterItsLeaseChangesNothing() throws Exception {
    TestRegistry severed = new TestRegistry();
    PausedEffect paused = new PausedEffect(target.newEffect());
    EventConsumer first = start(paused, it -> it.registry(severed.events()));
    CompletableFuture<Settlement> settlement = first.submit(changed(order, 1));
    paused.awaitPause();
    severed.sever();

    EventConsumer second =
        start(target.newEffect(), it -> it.registry(new TestRegistry().events()));
    handle(second.submit(List.of(changed(order, 1), changed(order, 2), deleted(order, 3))));
    Await.until("the first owner was interrupted", paused::wasInterrupted);
    paused.resume();

    assertThat(target.state(order)).isEmpty();
    assertThat(settlement).isNotDone();
    assertThat(reports).anyMatch(ConsumerEvent.LeaseLost.class::isInstance);
  }

  private void converge(UnaryOperator<EventConsumer.Builder> registry) throws Exception {
    long first = Long.getLong("once.effects.seed", System.nanoTime());
    for (long seed = first; seed < first + RUNS; seed++) {
      System.out.println(getClass().getSimpleName() + ": -Donce.effects.seed=" + seed);
      Random random = new Random(seed);
      EventPlan plan = EventPlan.random(random);
      List<EventConsumer> started = new ArrayList<>();
      for (int i = 0; i < CONSUMERS; i++) {
        started.add(start(target.newEffect(), registry));
      }

      target.fail(new Random(seed));
      List<CompletableFuture<Settlement>> settlements = new ArrayList<>();
      for (Event event : plan.delivered()) {
        settlements.add(started.get(random.nextInt(CONSUMERS)).submit(event));
      }
      handle(settlements);
      target.heal();

      Map<String, Optional<String>> states = new HashMap<>();
      for (String id : plan.fold().keySet()) {
        states.put(id, target.state(id));
      }
      assertThat(states).as("seed %d", seed).isEqualTo(plan.fold());
    }
  }

  private EventConsumer start(EventEffect effect, UnaryOperator<EventConsumer.Builder> registry) {
    EventConsumer consumer =
        registry
            .apply(EventConsumer.named(handler))
            .retries(PATIENT)
            .concurrency(4)
            .drain(Duration.ZERO)
            .listener(reports::add)
            .start(effect);
    consumers.add(consumer);
    return consumer;
  }

  /** Waits until events are handled, or known to need no handling. */
  private static void handle(List<CompletableFuture<Settlement>> settlements) throws Exception {
    for (CompletableFuture<Settlement> settlement : settlements) {
      assertThat(settlement.get(60, TimeUnit.SECONDS))
          .isInstanceOfAny(
              Settlement.Handled.class, Settlement.Duplicate.class, Settlement.Stale.class);
    }
  }
}
