package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayReadAheadTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static EventDatabase database;
  private static PostgresEventStore store;

  private final String name = "relay-" + UUID.randomUUID();
  private final List<Event> broker = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch five = new CountDownLatch(5);

  @BeforeAll
  static void create() {
    database = new EventDatabase("read_ahead");
    store = PostgresEventStore.over(database.dataSource());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void appendFive() {
    database.execute("TRUNCATE spice_event_registry.event, spice_event_registry.aggregate_version");
    for (int i = 0; i < 5; i++) {
      store.append(
          EventData.of(
              UUID.randomUUID().toString(), new Aggregate("order", "1"), "order.changed", "{}"));
    }
  }

  @Test
  void readsTheNextPageWhileItPublishes() throws InterruptedException {
    CountDownLatch secondRead = new CountDownLatch(2);
    EventLog log = observed(secondRead::countDown);
    EventPublisher waiting =
        (events, timeout) -> {
          assertThat(secondRead.await(30, TimeUnit.SECONDS)).as("read ahead").isTrue();
          receive(events);
        };
    try (Relay relay = pagesOfTwo(log, waiting).start()) {
      assertThat(relay).isNotNull();
      awaitFive();
    }
    requireAllInOrder();
  }

  @Test
  void goesOnIfReadingAheadFails() throws InterruptedException {
    AtomicInteger reads = new AtomicInteger();
    EventLog log =
        observed(
            () -> {
              if (reads.incrementAndGet() == 2) {
                throw new OutOfMemoryError("simulated");
              }
            });
    try (Relay relay = pagesOfTwo(log, (events, timeout) -> receive(events)).start()) {
      assertThat(relay).isNotNull();
      awaitFive();
    }
    requireAllInOrder();
  }

  @Test
  void readsAgainWhatItReadAheadOfAFailure() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    EventPublisher failing =
        (events, timeout) -> {
          if (calls.incrementAndGet() == 1) {
            throw new PublishException("not now", null);
          }
          receive(events);
        };
    try (Relay relay = pagesOfTwo(store.log(), failing).start()) {
      assertThat(relay).isNotNull();
      awaitFive();
    }
    requireAllInOrder();
  }

  private Relay pagesOfTwo(EventLog log, EventPublisher publisher) {
    return Relay.builder(name, log, publisher, database.dataSource())
        .lease(LEASE)
        .settings(RelaySettings.of(Map.of("EVENT_PUBLISHER_BATCH_SIZE", "2")))
        .listener(new SilentListener())
        .build();
  }

  /** Returns the log of the store, which calls {@code beforeRead} first. */
  private static EventLog observed(Runnable beforeRead) {
    return new EventLog() {
      @Override
      public Page read(String after, int limit) {
        beforeRead.run();
        return store.log().read(after, limit);
      }

      @Override
      public Optional<Instant> heldSince() {
        return store.log().heldSince();
      }
    };
  }

  private void receive(List<Event> events) {
    for (Event event : events) {
      broker.add(event);
      five.countDown();
    }
  }

  private void awaitFive() throws InterruptedException {
    assertThat(five.await(30, TimeUnit.SECONDS)).as("published").isTrue();
  }

  private void requireAllInOrder() {
    assertThat(broker).extracting(Event::sequence).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  private static final class SilentListener implements RelayListener {
    @Override
    public void report(RelayReport report) {}

    @Override
    public void failed(String relay, Throwable failure) {}
  }
}
