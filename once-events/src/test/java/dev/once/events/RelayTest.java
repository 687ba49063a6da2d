package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayTest {
  private static final Duration LEASE = Duration.ofMillis(400);
  private static EventDatabase database;
  private static PostgresEventStore store;

  private final String name = "relay-" + UUID.randomUUID();
  private final List<Event> broker = Collections.synchronizedList(new ArrayList<>());

  @BeforeAll
  static void create() {
    database = new EventDatabase("relay");
    store = PostgresEventStore.over(database.dataSource());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void empty() {
    database.execute("TRUNCATE spice_event_registry.event, spice_event_registry.aggregate_version");
  }

  @Test
  void publishesTheEventsOfAnAggregateInOrder() {
    append(new Aggregate("order", "1"), 5);
    append(new Aggregate("order", "2"), 5);
    try (Relay relay = relay((events, timeout) -> broker.addAll(events)).start()) {
      assertThat(relay).isNotNull();
      awaitPublished(10);
      append(new Aggregate("order", "1"), 1);
      awaitPublished(11);
    }
    assertThat(broker).doesNotHaveDuplicates();
    assertOrder();
  }

  @Test
  void goesOnAfterTheCheckpoint() {
    append(new Aggregate("order", "1"), 3);
    try (Relay relay = relay((events, timeout) -> broker.addAll(events)).start()) {
      assertThat(relay).isNotNull();
      awaitPublished(3);
      awaitCheckpoint();
    }
    append(new Aggregate("order", "1"), 1);
    try (Relay relay = relay((events, timeout) -> broker.addAll(events)).start()) {
      assertThat(relay).isNotNull();
      awaitPublished(4);
    }
    assertThat(broker).extracting(Event::sequence).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void savesItsPositionWhenItIsClosed() {
    append(new Aggregate("order", "1"), 3);
    try (Relay relay =
        builder((events, timeout) -> broker.addAll(events))
            .saveInterval(Duration.ofHours(1))
            .build()
            .start()) {
      assertThat(relay).isNotNull();
      awaitPublished(3);
    }
    assertThat(position()).isEqualTo(end());
  }

  @Test
  void keepsNoIdsInTheCheckpointOfALogWithoutLateEvents() {
    append(new Aggregate("order", "1"), 3);
    try (Relay relay = relay((events, timeout) -> broker.addAll(events)).start()) {
      assertThat(relay).isNotNull();
      awaitPublished(3);
      awaitCheckpoint();
    }
    assertThat(
            database.query(
                "SELECT cardinality(recent_ids) FROM spice_event_registry.relay WHERE name = '"
                    + name
                    + "'"))
        .containsExactly("0");
  }

  @Test
  void publishesAgainWhatTheBrokerDidNotConfirm() {
    append(new Aggregate("order", "1"), 6);
    AtomicInteger calls = new AtomicInteger();
    EventPublisher unreliable =
        (events, timeout) -> {
          int call = calls.incrementAndGet();
          broker.addAll(call % 2 == 1 ? events.subList(0, 1) : events);
          if (call % 2 == 1) {
            throw new PublishException("not confirmed", null);
          }
        };
    RelaySettings settings =
        RelaySettings.of(Map.of("EVENT_PUBLISHER_KAFKA_FLUSH_BATCH_SIZE", "2"));
    try (Relay relay = builder(unreliable).settings(settings).build().start()) {
      assertThat(relay).isNotNull();
      await(() -> last() == 6);
    }
    assertThat(new LinkedHashSet<>(broker.stream().map(Event::sequence).toList()))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void reportsNoFailureWhenItIsClosed() {
    append(new Aggregate("order", "1"), 1);
    AtomicReference<Thread> publishing = new AtomicReference<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    EventPublisher interruptible =
        (events, timeout) -> {
          publishing.set(Thread.currentThread());
          try {
            new CountDownLatch(1).await(); // Until it is interrupted.
          } catch (InterruptedException e) {
            throw new PublishException("interrupted", e); // As clients of storage do.
          }
        };
    Relay relay = builder(interruptible).listener(failures(failures)).build().start();
    await(() -> publishing.get() != null);

    relay.close();

    assertThat(failures).isEmpty();
    assertThat(
            database.query(
                "SELECT lease_until <= clock_timestamp() FROM spice_event_registry.relay"))
        .containsOnly("t");
  }

  private static RelayListener failures(List<Throwable> failures) {
    return new RelayListener() {
      @Override
      public void report(RelayReport report) {}

      @Override
      public void failed(String relay, Throwable failure) {
        failures.add(failure);
      }
    };
  }

  @Test
  void isTakenOverByAnotherProcess() {
    Aggregate aggregate = new Aggregate("order", "1");
    append(aggregate, 2);
    AtomicReference<Thread> stuck = new AtomicReference<>();
    EventPublisher hanging =
        (events, timeout) -> {
          stuck.set(Thread.currentThread());
          new CountDownLatch(1).await(); // Until it is interrupted.
        };
    Relay first = relay(hanging).start();
    await(() -> stuck.get() != null);
    try (Relay second = relay((events, timeout) -> broker.addAll(events)).start()) {
      assertThat(second).isNotNull();
      awaitPublished(2);
      append(aggregate, 1);
      awaitPublished(3);
      awaitCheckpoint();
      String position = position();
      first.close();
      assertThat(position()).isEqualTo(position);
    }
    assertThat(broker).extracting(Event::sequence).containsExactly(1L, 2L, 3L);
  }

  @Test
  void losesNothingOfTransactionsThatCommitInAnyOrder() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Connection> open = new ArrayList<>();
    int appended = 0;
    try (Relay relay = relay((events, timeout) -> broker.addAll(events)).start()) {
      assertThat(relay).isNotNull();
      for (int i = 0; i < 60; i++) {
        if (open.size() < 6 && random.nextBoolean()) {
          Connection connection = database.dataSource().getConnection();
          connection.setAutoCommit(false);
          Aggregate own = new Aggregate("transaction", String.valueOf(i));
          store.append(connection, event(own), AppendCondition.ANY);
          open.add(connection);
          appended++;
        } else if (!open.isEmpty() && random.nextBoolean()) {
          try (Connection connection = open.remove(random.nextInt(open.size()))) {
            connection.commit();
          }
        } else {
          append(new Aggregate("order", String.valueOf(random.nextInt(3))), 1);
          appended++;
        }
      }
      for (Connection connection : open) {
        connection.commit();
        connection.close();
      }
      awaitPublished(appended);
    }
    assertThat(broker).as("seed " + seed).hasSize(appended).doesNotHaveDuplicates();
    assertOrder();
  }

  @Test
  void goesOnAfterErrors() {
    append(new Aggregate("order", "1"), 3);
    AtomicInteger calls = new AtomicInteger();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    EventPublisher failing =
        (events, timeout) -> {
          if (calls.incrementAndGet() <= 3) {
            throw new OutOfMemoryError("simulated");
          }
          broker.addAll(events);
        };
    RelayListener listener =
        new RelayListener() {
          @Override
          public void report(RelayReport report) {
            throw new StackOverflowError("simulated");
          }

          @Override
          public void failed(String relay, Throwable failure) {
            failures.add(failure);
            throw new OutOfMemoryError("simulated");
          }
        };
    try (Relay relay = builder(failing).listener(listener).build().start()) {
      assertThat(relay).isNotNull();
      awaitPublished(3);
    }
    assertThat(broker).extracting(Event::sequence).containsExactly(1L, 2L, 3L);
    assertThat(failures).as("of failures in a row, the first is reported").hasSize(1);
  }

  @Test
  void doesNotWaitForItsOwnLeaseIfTheCheckpointCannotBeLoaded() {
    append(new Aggregate("order", "1"), 1);
    AtomicInteger loads = new AtomicInteger();
    CheckpointStore unreliable =
        new CheckpointStore() {
          @Override
          public Checkpoint load(String relay) {
            if (loads.incrementAndGet() == 1) {
              throw new IllegalStateException("not now");
            }
            return Checkpoint.NONE;
          }

          @Override
          public boolean save(String relay, Checkpoint checkpoint) {
            return true;
          }
        };
    try (Relay relay =
        builder((events, timeout) -> broker.addAll(events))
            .lease(Duration.ofHours(1))
            .checkpoints(unreliable)
            .build()
            .start()) {
      assertThat(relay).isNotNull();
      awaitPublished(1);
    }
    assertThat(loads).hasValue(2);
  }

  @Test
  void reportsWhatItDid() {
    append(new Aggregate("order", "1"), 2);
    List<RelayReport> reports = Collections.synchronizedList(new ArrayList<>());
    RelayListener listener =
        new RelayListener() {
          @Override
          public void report(RelayReport report) {
            reports.add(report);
          }

          @Override
          public void failed(String relay, Throwable failure) {
            throw new AssertionError(failure);
          }
        };
    RelaySettings settings =
        RelaySettings.of(Map.of("EVENT_PUBLISHER_METRICS_LOG_INTERVAL_SECONDS", "1"));
    try (Relay relay =
        builder((events, timeout) -> broker.addAll(events))
            .settings(settings)
            .listener(listener)
            .build()
            .start()) {
      assertThat(relay).isNotNull();
      await(() -> reports.stream().anyMatch(it -> it.published() == 2));
    }
    assertThat(reports.get(0).toString()).startsWith("event_publisher.metrics relay=" + name);
  }

  private Relay relay(EventPublisher publisher) {
    return builder(publisher).build();
  }

  private Relay.Builder builder(EventPublisher publisher) {
    return Relay.builder(name, store.log(), publisher, database.dataSource()).lease(LEASE);
  }

  private long last() {
    synchronized (broker) {
      return broker.stream().mapToLong(Event::sequence).max().orElse(0);
    }
  }

  private void awaitPublished(int count) {
    await(() -> broker.size() >= count);
  }

  private void awaitCheckpoint() {
    String last = end();
    await(() -> position().equals(last));
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("within 30 s").isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static String end() {
    String position = EventLog.START;
    while (true) {
      EventLog.Page page = store.log().read(position, EventStore.MAX_PAGE);
      if (page.events().isEmpty()) {
        return position;
      }
      position = page.next();
    }
  }

  private String position() {
    return String.join(
        "",
        database.query(
            "SELECT position FROM spice_event_registry.relay WHERE name = '" + name + "'"));
  }

  private void assertOrder() {
    Map<Aggregate, Long> last = new HashMap<>();
    for (Event event : List.copyOf(broker)) {
      assertThat(event.sequence()).isGreaterThan(last.getOrDefault(event.aggregate(), 0L));
      last.put(event.aggregate(), event.sequence());
    }
  }

  private static void append(Aggregate aggregate, int count) {
    for (int i = 0; i < count; i++) {
      store.append(event(aggregate));
    }
  }

  private static EventData event(Aggregate aggregate) {
    return EventData.of(UUID.randomUUID().toString(), aggregate, "order.changed", "{}");
  }
}
