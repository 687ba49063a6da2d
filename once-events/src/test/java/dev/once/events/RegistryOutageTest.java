package dev.once.events;

import static dev.once.events.RegistryDatabase.HANDLER;
import static dev.once.events.Settlements.await;
import static dev.once.events.Settlements.until;
import static dev.once.events.TestEvents.event;
import static dev.once.events.TestEvents.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.StoreException;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The registry's server dies by SIGKILL and comes back, under every policy. */
class RegistryOutageTest {
  private static final EmbeddedPostgres SERVER = EmbeddedPostgres.builder().start();

  /** Without a pool, which would wait between its own tries to connect again. */
  private static final DataSource DATABASE = SERVER.newDatabase("registry-outage");

  private final RecordedConsumerEvents reports = new RecordedConsumerEvents();
  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final List<DeadLetterSink.DeadLetter> letters = new CopyOnWriteArrayList<>();
  private final List<EventConsumer> consumers = new ArrayList<>();

  @BeforeEach
  void empty() {
    EventsSchema.named("registry").apply(DATABASE);
    new Sql(DATABASE).execute("TRUNCATE registry.processed_event, registry.aggregate_version");
  }

  @AfterEach
  void close() {
    consumers.forEach(EventConsumer::close);
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void pausesUntilTheRegistryIsBack() {
    EventConsumer consumer = start(builder(RegistryOutage.PAUSE));
    Settlements.handle(consumer, events("a", 1));
    SERVER.kill();
    CompletableFuture<Settlement> second = consumer.submit(event("a", 2));
    until(consumer::isPaused, "paused");
    assertThat(second).isNotDone();

    SERVER.restart();

    assertThat(await(second)).isInstanceOf(Settlement.Handled.class);
    assertThat(consumer.isPaused()).isFalse();
    assertThat(effects).containsExactly("a-1", "a-2");
    assertThat(reports.all(ConsumerEvent.OutageStarted.class)).hasSize(1);
    assertThat(reports.all(ConsumerEvent.OutageEnded.class)).hasSize(1);
  }

  @Test
  void failsFastAndHandlesNothingAfterThat() {
    EventConsumer consumer = start(builder(RegistryOutage.FAIL_FAST));
    SERVER.kill();

    CompletableFuture<Settlement> first = consumer.submit(event("a", 1));

    until(first::isDone, "failed");
    assertThat(first).isCompletedExceptionally();
    assertThatThrownBy(first::join).hasCauseInstanceOf(StoreException.class);
    SERVER.restart();
    assertThat(consumer.submit(event("a", 2))).isCompletedExceptionally();
    until(() -> consumer.pending() == 0, "nothing pending");
    Settlements.handle(start(builder(RegistryOutage.FAIL_FAST)), events("a", 2));
    assertThat(effects).containsExactly("a-1", "a-2");
  }

  @Test
  void deadLettersWithoutTheEffectAndTellsTheRegistryLater() {
    EventConsumer consumer = start(builder(RegistryOutage.DEAD_LETTER));
    SERVER.kill();

    List<Settlement> settlements = await(consumer.submit(events("a", 2)));

    assertThat(settlements).allMatch(Settlement.Dead.class::isInstance);
    assertThat(letters).extracting(it -> it.event().id()).containsExactly("a-1", "a-2");
    SERVER.restart();
    until(() -> consumer.pending() == 0, "the registry knows");
    assertThat(registry().find(HANDLER, "a-2").orElseThrow().state())
        .isEqualTo(ProcessedState.DEAD);
    Settlements.handle(consumer, events("a", 3).subList(2, 3));
    assertThat(effects).containsExactly("a-3");
  }

  @Test
  void deadLettersUntilHalfOfWhatMayBePendingWaitsForTheRegistry() {
    EventConsumer consumer = start(builder(RegistryOutage.DEAD_LETTER).maxPending(10));
    SERVER.kill();

    for (int i = 1; i <= 6; i++) {
      assertThat(consumer.isPaused()).as("before event %s", i).isFalse();
      assertThat(await(consumer.submit(event("order-" + i, 1))))
          .isInstanceOf(Settlement.Dead.class);
    }

    assertThat(consumer.isPaused()).isTrue();
    SERVER.restart();
    until(() -> consumer.pending() == 0, "the registry knows");
    assertThat(consumer.isPaused()).isFalse();
    assertThat(letters).hasSize(6);
    assertThat(reports.all(ConsumerEvent.OutageStarted.class)).hasSize(1);
    assertThat(reports.all(ConsumerEvent.Trouble.class)).hasSizeLessThan(3);
  }

  @Test
  void keepsNoDataOfDeadLettersThatWaitForTheRegistry() {
    EventConsumer consumer =
        start(builder(RegistryOutage.DEAD_LETTER).maxPendingBytes(EventData.MAX_DATA_BYTES));
    SERVER.kill();

    for (int i = 1; i <= 4; i++) {
      Event event = event("order-" + i, 1);
      byte[] data = new byte[EventData.MAX_DATA_BYTES];
      await(
          consumer.submit(
              new Event(
                  event.content().withData("image/png", data), event.sequence(), event.time())));
    }

    assertThat(consumer.isPaused()).isFalse();
    SERVER.restart();
    until(() -> consumer.pending() == 0, "the registry knows");
    assertThat(letters)
        .hasSize(4)
        .allMatch(it -> it.event().content().data().length == EventData.MAX_DATA_BYTES);
  }

  @Test
  void settlesAnEffectWhenTheRegistryComesBackWithinTheLease() {
    EventConsumer consumer =
        start(
            builder(RegistryOutage.PAUSE),
            (event, execution) -> {
              effects.add(event.id());
              SERVER.kill();
            });
    CompletableFuture<Settlement> settlement = consumer.submit(event("a", 1));
    until(() -> !reports.all(ConsumerEvent.Trouble.class).isEmpty(), "the settlement failed");

    SERVER.restart();

    assertThat(await(settlement)).isInstanceOf(Settlement.Handled.class);
    assertThat(effects).containsExactly("a-1");
  }

  @Test
  void reportsAnUnknownEndAndHandlesTheEventAgainAfterTheLease() {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    ProcessedEvents registry =
        ProcessedEvents.builder(DATABASE)
            .schema("registry")
            .lease(Duration.ofSeconds(1))
            .heartbeat(Duration.ofMillis(200))
            .build();
    EventConsumer consumer =
        start(
            builder(RegistryOutage.PAUSE).registry(registry),
            (event, execution) -> {
              effects.add(event.id() + " by attempt " + execution.attempt());
              if (isFirst.getAndSet(false)) {
                SERVER.kill();
              }
            });
    CompletableFuture<Settlement> settlement = consumer.submit(event("a", 1));
    until(() -> !reports.all(ConsumerEvent.Unknown.class).isEmpty(), "the end is unknown");

    SERVER.restart();

    assertThat(await(settlement)).isInstanceOf(Settlement.Handled.class);
    assertThat(effects).containsExactly("a-1 by attempt 1", "a-1 by attempt 2");
  }

  private static ProcessedEvents registry() {
    return ProcessedEvents.builder(DATABASE).schema("registry").build();
  }

  private EventConsumer.Builder builder(RegistryOutage policy) {
    return EventConsumer.named(HANDLER)
        .registry(registry())
        .onOutage(policy)
        .retries(EventRetryPolicy.deadLetter(letters::add))
        .checkInterval(Duration.ofMillis(50))
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
}
