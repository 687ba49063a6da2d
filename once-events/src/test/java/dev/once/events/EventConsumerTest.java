package dev.once.events;

import static dev.once.events.RegistryDatabase.HANDLER;
import static dev.once.events.Settlements.await;
import static dev.once.events.Settlements.until;
import static dev.once.events.TestEvents.event;
import static dev.once.events.TestEvents.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A consumer handles events once and in order, also with another one beside it. */
class EventConsumerTest {
  @RegisterExtension static final RegistryDatabase DATABASE = new RegistryDatabase("consumer");

  private final RecordedConsumerEvents reports = new RecordedConsumerEvents();
  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final List<EventConsumer> consumers = new ArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void close() {
    gate.countDown();
    consumers.forEach(EventConsumer::close);
  }

  @Test
  void handlesEventsAndRecognisesDuplicates() {
    EventConsumer consumer = start(builder());
    List<Event> events = events("a", 3);

    Settlements.handle(consumer, events);
    List<Settlement> again = await(consumer.submit(events));

    assertThat(again)
        .allMatch(it -> it.equals(new Settlement.Duplicate(it.event(), ProcessedState.DONE)));
    assertThat(effects).containsExactly("a-1", "a-2", "a-3");
    assertThat(DATABASE.events().lastSequence(HANDLER, events.get(0).aggregate())).isEqualTo(3);
    assertThat(consumer.pending()).isZero();
  }

  @Test
  void anEventThatWasWithdrawnAndDeliveredAgainIsNotOvertaken() {
    TestSource held =
        () -> {
          awaitLatch(gate);
          return DATABASE.pool().getConnection();
        };
    EventConsumer consumer =
        start(
            builder()
                .registry(
                    ProcessedEvents.builder(held.toDataSource())
                        .schema(RegistryDatabase.SCHEMA)
                        .build()));
    CompletableFuture<Settlement> other = consumer.submit(event("b", 1));
    until(() -> consumer.pending() == 1, "the claiming thread is held");

    consumer.submit(event("a", 1)).cancel(false); // Its partition was revoked.
    List<CompletableFuture<Settlement>> again = consumer.submit(events("a", 2));
    gate.countDown();

    assertThat(await(again)).allMatch(Settlement.Handled.class::isInstance);
    assertThat(await(other)).isInstanceOf(Settlement.Handled.class);
    assertThat(effects).containsSubsequence("a-1", "a-2");
  }

  @Test
  void twoConsumersOfOneEventHandleItOnce() {
    EventConsumer one = start(builder());
    EventConsumer two = start(builder());
    List<CompletableFuture<Settlement>> settlements = new ArrayList<>();

    for (int i = 0; i < 50; i++) {
      Event event = event("order-" + i, 1);
      settlements.add(one.submit(event));
      settlements.add(two.submit(event));
    }

    assertThat(await(settlements))
        .filteredOn(Settlement.Handled.class::isInstance)
        .hasSize(50)
        .extracting(Settlement::event)
        .doesNotHaveDuplicates();
    assertThat(effects).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void shuffledEventsTakeEffectInOrder() {
    EventConsumer consumer = start(builder());
    List<Event> events = new ArrayList<>(events("a", 40));
    Collections.shuffle(events, new Random(42));

    List<CompletableFuture<Settlement>> settlements = new ArrayList<>();
    events.forEach(it -> settlements.add(consumer.submit(it)));

    assertThat(await(settlements))
        .allMatch(it -> it instanceof Settlement.Handled || it instanceof Settlement.Stale);
    List<Integer> sequences =
        effects.stream().map(it -> Integer.parseInt(it.substring(2))).toList();
    assertThat(sequences).isSorted().doesNotHaveDuplicates().contains(40);
  }

  @Test
  void aSlowAggregateHoldsUpNoOther() {
    EventConsumer consumer =
        start(
            builder(),
            (event, execution) -> {
              if (event.aggregate().id().equals("slow")) {
                gate.await();
              }
              effects.add(event.id());
            });
    List<CompletableFuture<Settlement>> slow = consumer.submit(events("slow", 2));

    for (int i = 0; i < 30; i++) {
      Settlements.handle(consumer, events("fast-" + i, 3));
    }

    assertThat(slow).noneMatch(CompletableFuture::isDone);
    gate.countDown();
    assertThat(await(slow)).allMatch(Settlement.Handled.class::isInstance);
  }

  @Test
  void aFailedEventIsRetriedAndTheNextWaitsForIt() {
    AtomicInteger failures = new AtomicInteger(2);
    EventConsumer consumer =
        start(
            builder(),
            (event, execution) -> {
              if (event.sequence() == 1 && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("not yet");
              }
              effects.add(event.id() + " by attempt " + execution.attempt());
            });

    Settlements.handle(consumer, events("a", 2));

    assertThat(effects).containsExactly("a-1 by attempt 3", "a-2 by attempt 1");
    assertThat(reports.all(ConsumerEvent.Failed.class))
        .hasSize(2)
        .allMatch(it -> it.reason().contains("not yet"));
  }

  @Test
  void poisonIsSkippedAfterItsLastAttempt() {
    AtomicInteger attempts = new AtomicInteger();
    EventConsumer consumer =
        start(
            builder(),
            (event, execution) -> {
              if (event.sequence() == 1) {
                attempts.incrementAndGet();
                throw new IllegalStateException("poison");
              }
              effects.add(event.id());
            });

    List<Settlement> settlements = await(consumer.submit(events("a", 2)));

    assertThat(attempts).hasValue(5);
    assertThat(settlements.get(0)).isInstanceOf(Settlement.Skipped.class);
    assertThat(settlements.get(1)).isInstanceOf(Settlement.Handled.class);
    assertThat(DATABASE.states()).containsExactly("a-1 skipped", "a-2 done");
  }

  @Test
  void anUnprocessableEventIsNotTriedAgain() {
    AtomicInteger attempts = new AtomicInteger();
    EventConsumer consumer =
        start(
            builder(),
            (event, execution) -> {
              attempts.incrementAndGet();
              throw new UnprocessableEventException("no such type");
            });

    Settlement settlement = await(consumer.submit(event("a", 1)));

    assertThat(settlement).isInstanceOf(Settlement.Skipped.class);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void anEventIsDeadOnlyAfterTheSinkHasIt() {
    AtomicInteger refusals = new AtomicInteger(2);
    List<DeadLetterSink.DeadLetter> letters = new CopyOnWriteArrayList<>();
    DeadLetterSink sink =
        letter -> {
          assertThat(DATABASE.states()).containsExactly("a-1 processing");
          if (refusals.getAndDecrement() > 0) {
            throw new IllegalStateException("the topic is down");
          }
          letters.add(letter);
        };
    AtomicInteger attempts = new AtomicInteger();
    EventConsumer consumer =
        start(
            builder().retries(quick(EventRetryPolicy.deadLetter(sink).withAttempts(2))),
            (event, execution) -> {
              attempts.incrementAndGet();
              throw new IllegalStateException("poison");
            });

    Settlement settlement = await(consumer.submit(event("a", 1)));

    assertThat(settlement).isInstanceOf(Settlement.Dead.class);
    assertThat(attempts).hasValue(2);
    assertThat(letters).singleElement().extracting(it -> it.reason()).asString().contains("poison");
    assertThat(DATABASE.states()).containsExactly("a-1 dead");
  }

  @Test
  void aRedrivenEventIsHandledWhenItIsDeliveredAgain() {
    AtomicInteger failures = new AtomicInteger(1);
    EventConsumer consumer =
        start(
            builder(),
            (event, execution) -> {
              if (failures.getAndDecrement() > 0) {
                throw new UnprocessableEventException("a bug");
              }
              effects.add(event.id());
            });
    List<Event> events = events("a", 2);
    await(consumer.submit(events));

    DATABASE.events().redrive(HANDLER, "a-1");

    Settlements.handle(consumer, events.subList(0, 1));
    assertThat(effects).containsExactly("a-2", "a-1");
  }

  @Test
  void aHandlerThatNeedsEveryEventWaitsForAMissingOne() {
    EventConsumer consumer =
        start(
            builder()
                .sequences(SequenceRule.every(Duration.ofHours(1), SequenceRule.Missing.GIVE_UP)));
    CompletableFuture<Settlement> second = consumer.submit(event("a", 2));
    until(() -> !reports.all(ConsumerEvent.Waiting.class).isEmpty(), "a wait");

    Settlements.handle(consumer, events("a", 1));

    assertThat(await(second)).isInstanceOf(Settlement.Handled.class);
    assertThat(effects).containsExactly("a-1", "a-2");
  }

  @Test
  void anEventIsHandledOrGivenUpIfTheMissingOneDoesNotCome() {
    Duration wait = Duration.ofMillis(200);
    EventConsumer accepts =
        start(builder().sequences(SequenceRule.every(wait, SequenceRule.Missing.ACCEPT)));
    assertThat(await(accepts.submit(event("a", 2)))).isInstanceOf(Settlement.Handled.class);
    EventConsumer givesUp =
        start(builder().sequences(SequenceRule.every(wait, SequenceRule.Missing.GIVE_UP)));

    assertThat(await(givesUp.submit(event("b", 2)))).isInstanceOf(Settlement.Skipped.class);

    assertThat(effects).containsExactly("a-2");
  }

  @Test
  void anErrorOfAnEffectEndsNoThread() {
    AtomicInteger failures = new AtomicInteger(4);
    EventConsumer consumer =
        start(
            builder().concurrency(1),
            (event, execution) -> {
              if (failures.getAndDecrement() > 0) {
                throw new StackOverflowError();
              }
            });

    Settlements.handle(consumer, events("a", 1));
    Settlements.handle(consumer, events("b", 1));
  }

  @Test
  void anInterruptOfAnEffectReachesNoOther() {
    EventConsumer consumer =
        start(
            builder().concurrency(1),
            (event, execution) -> {
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
              Thread.currentThread().interrupt();
              effects.add(event.id());
            });

    Settlements.handle(consumer, events("a", 3));
    Settlements.handle(consumer, events("b", 3));

    assertThat(reports.all(ConsumerEvent.Failed.class)).isEmpty();
  }

  @Test
  void anInterruptedThreadSubmitsLikeAnyOther() {
    EventConsumer consumer = start(builder());
    Thread.currentThread().interrupt();

    CompletableFuture<Settlement> settlement = consumer.submit(event("a", 1));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(await(settlement)).isInstanceOf(Settlement.Handled.class);
  }

  @Test
  void closingReleasesWhatHasNotStartedAndAnotherConsumerHandlesIt() {
    CountDownLatch started = new CountDownLatch(1);
    EventConsumer first =
        start(
            builder().drain(Duration.ofMillis(50)),
            (event, execution) -> {
              started.countDown();
              gate.await();
            });
    List<CompletableFuture<Settlement>> settlements = first.submit(events("a", 3));
    awaitLatch(started);

    first.close();

    assertThat(await(settlements)).allMatch(Settlement.Open.class::isInstance);
    assertThatThrownBy(() -> first.submit(event("a", 1)))
        .isInstanceOf(RejectedExecutionException.class);
    Settlements.handle(start(builder()), events("a", 3));
    assertThat(effects).containsExactly("a-1", "a-2", "a-3");
  }

  @Test
  void closingWaitsForRunningEffects() {
    CountDownLatch started = new CountDownLatch(1);
    EventConsumer consumer =
        start(
            builder(),
            (event, execution) -> {
              started.countDown();
              gate.await();
              effects.add(event.id());
            });
    CompletableFuture<Settlement> settlement = consumer.submit(event("a", 1));
    awaitLatch(started);
    Thread closing = new Thread(consumer::close);
    closing.start();

    gate.countDown();

    assertThat(await(settlement)).isInstanceOf(Settlement.Handled.class);
  }

  @Test
  void aWithdrawnEventIsNotHandled() {
    CountDownLatch started = new CountDownLatch(1);
    EventConsumer consumer =
        start(
            builder(),
            (event, execution) -> {
              started.countDown();
              gate.await();
              effects.add(event.id());
            });
    CompletableFuture<Settlement> first = consumer.submit(event("a", 1));
    awaitLatch(started);
    CompletableFuture<Settlement> second = consumer.submit(event("a", 2));

    second.cancel(true);
    gate.countDown();

    await(first);
    until(() -> consumer.pending() == 0, "nothing pending");
    assertThat(effects).containsExactly("a-1");
  }

  @Test
  void refusesMoreEventsThanItMayKeep() {
    EventConsumer consumer = start(builder().maxPending(2), (event, execution) -> gate.await());
    consumer.submit(events("a", 2));

    assertThatThrownBy(() -> consumer.submit(event("b", 1)))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("more than 2");
  }

  @Test
  void refusesMoreDataThanItMayKeepUntilSomeIsSettled() {
    EventConsumer consumer =
        start(
            builder().maxPendingBytes(EventData.MAX_DATA_BYTES),
            (event, execution) -> gate.await());
    Event largest = large("a", EventData.MAX_DATA_BYTES);
    CompletableFuture<Settlement> first = consumer.submit(largest);

    assertThatThrownBy(() -> consumer.submit(large("b", 1)))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("more than 1048576 bytes");

    gate.countDown();
    await(first);
    until(() -> consumer.pending() == 0, "nothing pending");
    assertThat(await(consumer.submit(large("b", EventData.MAX_DATA_BYTES))))
        .isInstanceOf(Settlement.Handled.class);
  }

  private static Event large(String aggregate, int bytes) {
    Event event = event(aggregate, 1);
    return new Event(
        event.content().withData("image/png", new byte[bytes]), event.sequence(), event.time());
  }

  @Test
  void worksWithoutARegistryByItsSequencesAndSaysWhatIsLost() {
    AtomicInteger failures = new AtomicInteger(1);
    EventConsumer consumer =
        start(
            EventConsumer.named(HANDLER)
                .withoutRegistry()
                .retries(quick(EventRetryPolicy.SKIP))
                .listener(reports),
            (event, execution) -> {
              if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("once");
              }
              effects.add(event.id());
            });

    Settlements.handle(consumer, events("a", 3));

    assertThat(await(consumer.submit(events("a", 3)))).allMatch(Settlement.Stale.class::isInstance);
    assertThat(effects).containsExactly("a-1", "a-2", "a-3");
    assertThat(reports.all(ConsumerEvent.RegistryDisabled.class)).hasSize(1);
    assertThat(DATABASE.states()).isEmpty();
  }

  @Test
  void refusesWrongSettings() {
    assertThatThrownBy(() -> EventConsumer.named("write_side:order"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EventConsumer.named(HANDLER).start((event, execution) -> {}))
        .hasMessageContaining("has no registry");
    assertThatThrownBy(
            () ->
                EventConsumer.named(HANDLER)
                    .withoutRegistry()
                    .startTransactional((event, connection) -> {}))
        .hasMessageContaining("need a registry");
    assertThatThrownBy(() -> start(builder().onOutage(RegistryOutage.DEAD_LETTER)))
        .hasMessageContaining("deadLetter(sink)");
  }

  private static EventRetryPolicy quick(EventRetryPolicy policy) {
    return policy.withDelays(Duration.ofMillis(1), Duration.ofMillis(20));
  }

  private EventConsumer.Builder builder() {
    return EventConsumer.named(HANDLER)
        .registry(DATABASE.events())
        .retries(quick(EventRetryPolicy.SKIP))
        .listener(reports);
  }

  private EventConsumer start(EventConsumer.Builder builder) {
    return start(builder, (event, execution) -> effects.add(event.id()));
  }

  private EventConsumer start(EventConsumer.Builder builder, EventEffect effect) {
    EventConsumer consumer = builder.start(effect);
    consumers.add(consumer);
    return consumer;
  }

  private static void awaitLatch(CountDownLatch latch) {
    until(() -> latch.getCount() == 0, "the effect started");
  }
}
