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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases of running effects: renewed, lost, and left behind by lost answers. */
class LeaseTest {
  @RegisterExtension static final RegistryDatabase DATABASE = new RegistryDatabase("lease");
  private static final Duration SHORT = Duration.ofSeconds(1);

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
  void aHeartbeatKeepsTheLeaseOfALongEffect() {
    EventConsumer consumer =
        start(
            DATABASE.events(SHORT),
            (event, execution) -> {
              gate.await();
              effects.add(event.id());
            });
    CompletableFuture<Settlement> settlement = consumer.submit(event("a", 1));
    Set<String> heartbeats = new HashSet<>();
    until(
        () -> {
          heartbeats.addAll(DATABASE.query("SELECT heartbeat_at FROM registry.processed_event"));
          return heartbeats.size() > 5;
        },
        "the lease was renewed for longer than it lasts");

    assertThat(DATABASE.client().claimOne(event("a", 1))).isInstanceOf(ClaimAnswer.Busy.class);
    gate.countDown();

    assertThat(await(settlement)).isInstanceOf(Settlement.Handled.class);
    assertThat(reports.all(ConsumerEvent.LeaseLost.class)).isEmpty();
  }

  @Test
  void aLostLeaseInterruptsTheEffectAndItsEndIsRefused() {
    CountDownLatch started = new CountDownLatch(1);
    List<Long> fences = new CopyOnWriteArrayList<>();
    EventConsumer consumer =
        start(
            DATABASE.events(SHORT),
            (event, execution) -> {
              fences.add(execution.fence());
              if (fences.size() == 1) {
                started.countDown();
                try {
                  gate.await();
                } catch (InterruptedException e) {
                  effects.add("interrupted");
                }
              }
            });
    CompletableFuture<Settlement> settlement = consumer.submit(event("a", 1));
    until(() -> started.getCount() == 0, "the effect started");
    DATABASE.elapse(ProcessedEvents.DEFAULT_LEASE);
    EventLease other = DATABASE.client().granted(event("a", 1));

    until(() -> effects.contains("interrupted"), "the effect was interrupted");
    until(() -> !reports.all(ConsumerEvent.LeaseLost.class).isEmpty(), "the loss was reported");
    assertThat(DATABASE.states()).containsExactly("a-1 processing");
    DATABASE.client().fail(other, Duration.ZERO);

    assertThat(await(settlement)).isInstanceOf(Settlement.Handled.class);
    assertThat(fences).hasSize(2);
    assertThat(fences.get(0)).isLessThan(other.fence());
    assertThat(fences.get(1)).isGreaterThan(other.fence());
  }

  @Test
  void eventsOfAConsumerThatVanishedAreHandledAfterItsLease() {
    RegistryClient vanished =
        new RegistryClient(new PostgresRegistry(DATABASE.events(SHORT), HANDLER, false));
    vanished.claim(event("a", 1), event("a", 2));

    EventConsumer consumer =
        start(DATABASE.events(SHORT), (event, execution) -> effects.add(event.id()));
    Settlements.handle(consumer, events("a", 3));

    assertThat(effects).containsExactly("a-1", "a-2", "a-3");
    assertThat(reports.all(ConsumerEvent.Waiting.class)).isNotEmpty();
  }

  @Test
  void anEventWhoseLeaseEndedInItsLastAttemptIsGivenUp() {
    for (int i = 0; i < 5; i++) {
      DATABASE.client().granted(event("a", 1));
      DATABASE.elapse(ProcessedEvents.DEFAULT_LEASE);
    }
    EventConsumer consumer =
        start(DATABASE.events(), (event, execution) -> effects.add(event.id()));

    Settlement settlement = await(consumer.submit(event("a", 1)));

    assertThat(settlement)
        .isInstanceOfSatisfying(
            Settlement.Skipped.class,
            it -> assertThat(it.reason()).isEqualTo("its lease ended in its last attempt"));
    assertThat(effects).isEmpty();
  }

  @Test
  void aClaimWhoseAnswerWasLostIsNotWaitedFor() {
    AnswerLoss loss = new AnswerLoss(DATABASE.pool(), "claim_events");
    EventConsumer consumer = start(loss.registry(), (event, execution) -> effects.add(event.id()));

    Settlements.handle(consumer, events("a", 2));

    assertThat(loss.happened()).isTrue();
    assertThat(effects).containsExactly("a-1", "a-2");
    assertThat(reports.all(ConsumerEvent.Waiting.class)).isEmpty();
  }

  @Test
  void aSettlementWhoseAnswerWasLostIsNoLostLease() {
    AnswerLoss loss = new AnswerLoss(DATABASE.pool(), "settle_events");
    EventConsumer consumer = start(loss.registry(), (event, execution) -> effects.add(event.id()));

    Settlements.handle(consumer, events("a", 2));

    assertThat(loss.happened()).isTrue();
    assertThat(effects).containsExactly("a-1", "a-2");
    assertThat(reports.all(ConsumerEvent.LeaseLost.class)).isEmpty();
  }

  @Test
  void aLeaseHasToSurviveLateHeartbeats() {
    ProcessedEvents.Builder builder =
        ProcessedEvents.builder(DATABASE.pool()).lease(Duration.ofSeconds(60));

    assertThatThrownBy(() -> builder.heartbeat(Duration.ofSeconds(21)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT21S");
  }

  private EventConsumer start(ProcessedEvents registry, EventEffect effect) {
    EventConsumer consumer =
        EventConsumer.named(HANDLER).registry(registry).listener(reports).start(effect);
    consumers.add(consumer);
    return consumer;
  }
}
