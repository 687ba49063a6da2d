package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Relay.Step;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the settings make of a relay, one batch at a time. C7 */
class RelayWorkTest {
  private static EventDatabase database;
  private static PostgresEventStore store;

  private final String name = "relay-" + UUID.randomUUID();
  private final List<List<String>> flushes = new ArrayList<>();
  private final List<Duration> timeouts = new ArrayList<>();
  private final List<RelayReport> reports = new ArrayList<>();
  private final Map<String, String> variables = new HashMap<>();
  private final SavedCheckpoints checkpoints = new SavedCheckpoints();
  private final AtomicLong nanoTime = new AtomicLong();

  @BeforeAll
  static void create() {
    database = new EventDatabase("relay_work");
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
  void readsABatchAndFlushesAPartOfItAtATime() {
    variables.put("EVENT_PUBLISHER_BATCH_SIZE", "3");
    variables.put("EVENT_PUBLISHER_KAFKA_FLUSH_BATCH_SIZE", "2");
    variables.put("EVENT_PUBLISHER_KAFKA_FLUSH_TIMEOUT_SECONDS", "7");
    append("e", 4);

    try (Relay relay = relay()) {
      assertThat(relay.publishNext()).isEqualTo(Step.PUBLISHED);

      assertThat(flushes).containsExactly(List.of("e1", "e2"), List.of("e3"));
      assertThat(timeouts).containsOnly(Duration.ofSeconds(7));
    }
  }

  @Test
  void doesNotPublishAgainWhatItRemembers() {
    variables.put("EVENT_PUBLISHER_DEDUP_MAX_EVENTS", "2");
    variables.put("EVENT_PUBLISHER_METRICS_LOG_INTERVAL_SECONDS", "30");
    append("e", 3);
    try (Relay relay = relay()) {
      relay.publishNext();
      append("f", 1); // Whose batch finds the first three once more, before its position.
      checkpoints.late = store.log().read(EventLog.START, 3).events();
      nanoTime.addAndGet(Duration.ofSeconds(29).toNanos());
      relay.publishNext();
      assertThat(reports).isEmpty();
      checkpoints.late = List.of();
      nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
      relay.publishNext();
    }

    assertThat(flushes).containsExactly(List.of("e1", "e2", "e3"), List.of("e1"), List.of("f1"));
    assertThat(reports)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.published()).isEqualTo(5);
              assertThat(it.late()).isEqualTo(1);
              assertThat(it.suppressed()).isEqualTo(2);
            });
  }

  @Test
  void remembersTheNewestIdsOfItsCheckpointAfterARestart() {
    variables.put("EVENT_PUBLISHER_DEDUP_CHECKPOINT_MAX_EVENTS", "2");
    append("e", 4);
    try (Relay first = relay()) {
      first.publishNext();
      nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
      first.publishNext(); // It is time to save the position.
    }
    assertThat(checkpoints.saved.recentIds()).containsExactly("e3", "e4");
    flushes.clear();
    checkpoints.saved =
        new Checkpoint(EventLog.START, checkpoints.saved.fence(), checkpoints.saved.recentIds());
    database.execute("UPDATE spice_event_registry.relay SET lease_until = clock_timestamp()");

    try (Relay second = relay()) {
      second.publishNext();
    }

    assertThat(flushes).containsExactly(List.of("e1", "e2"));
  }

  @Test
  void reportsSinceWhenATransactionHoldsUpTheLog() throws Exception {
    try (Connection open = database.dataSource().getConnection();
        Relay relay = relay()) {
      open.setAutoCommit(false);
      store.append(open, event("late"), AppendCondition.ANY);
      append("early", 1);
      Instant appended = Instant.now();
      assertThat(relay.publishNext()).isEqualTo(Step.IDLE);
      nanoTime.addAndGet(Duration.ofSeconds(30).toNanos());
      relay.publishNext();
      assertThat(flushes).isEmpty();
      open.commit();
      assertThat(relay.publishNext()).isEqualTo(Step.PUBLISHED);
      nanoTime.addAndGet(Duration.ofSeconds(30).toNanos());
      relay.publishNext();

      assertThat(reports).hasSize(2);
      assertThat(reports.get(0).heldSince().orElseThrow()).isBefore(appended.plusSeconds(1));
      assertThat(reports.get(1).heldSince()).isEmpty();
      assertThat(flushes).containsExactly(List.of("late", "early1"));
    }
  }

  /** Returns a relay that a test drives itself. */
  private Relay relay() {
    return Relay.builder(
            name, checkpoints.around(store.log()), this::publish, database.dataSource())
        .checkpoints(checkpoints)
        .settings(RelaySettings.of(variables))
        .lease(Duration.ofMinutes(5))
        .nanoTime(nanoTime::get)
        .listener(
            new RelayListener() {
              @Override
              public void report(RelayReport report) {
                reports.add(report);
              }

              @Override
              public void failed(String relay, Throwable failure) {
                throw new AssertionError(failure);
              }
            })
        .build();
  }

  private void publish(List<Event> events, Duration timeout) {
    flushes.add(events.stream().map(Event::id).toList());
    timeouts.add(timeout);
  }

  private static void append(String id, int count) {
    for (int i = 1; i <= count; i++) {
      store.append(event(id + i));
    }
  }

  private static EventData event(String id) {
    return EventData.of(id, new Aggregate("order", id), "order.changed", "{}");
  }

  /** The checkpoint of one relay, and events that its log finds late. */
  private static final class SavedCheckpoints implements CheckpointStore {
    private Checkpoint saved = Checkpoint.NONE;
    private List<Event> late = List.of();

    @Override
    public Checkpoint load(String relay) {
      return saved;
    }

    @Override
    public boolean save(String relay, Checkpoint checkpoint) {
      saved = checkpoint;
      return true;
    }

    EventLog around(EventLog log) {
      return new EventLog() {
        @Override
        public Page read(String after, int max) {
          return log.read(after, max);
        }

        @Override
        public List<Event> late(String position, Duration lookback, int maxKeys) {
          return late;
        }

        @Override
        public Optional<Instant> heldSince() {
          return log.heldSince();
        }
      };
    }
  }
}
