package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.testkit.ConcurrentCalls;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresEventStoreTest extends EventStoreContract {
  private static EventDatabase database;
  private static PostgresEventStore store;

  @BeforeAll
  static void create() {
    database = new EventDatabase("events");
    store = PostgresEventStore.over(database.dataSource());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Override
  protected EventStore store() {
    return store;
  }

  @Test
  void appendsInTheCallersTransaction() throws SQLException {
    Aggregate aggregate = newAggregate();
    try (Connection connection = begin()) {
      store.append(connection, event(aggregate, "{}"), AppendCondition.ANY);
      connection.rollback();
    }
    assertThat(store.lastSequence(aggregate)).isZero();

    try (Connection connection = begin()) {
      store.append(connection, event(aggregate, "{}"), AppendCondition.ANY);
      store.append(connection, event(aggregate, "{}"), AppendCondition.ANY);
      connection.commit();
    }
    assertThat(store.read(aggregate, 0, 10)).extracting(Event::sequence).containsExactly(1L, 2L);
  }

  /** On a loaded machine, the callers of a round may come one after the other. */
  @Test
  void concurrentAppendsShareCommits() throws Exception {
    long transactions = Long.MAX_VALUE;
    for (int round = 1; round <= 10 && transactions >= 30; round++) {
      List<Appended> appended = appendTogether(60);
      assertThat(appended).noneMatch(Appended::duplicate);
      transactions = transactionsOf(appended);
    }

    assertThat(transactions).isLessThan(30);
  }

  @Test
  void concurrentAppendsAreAnsweredEach() throws Exception {
    Aggregate aggregate = newAggregate();
    EventData first = event(aggregate, "{}");
    store.append(first);

    List<Callable<String>> appends = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      appends.add(() -> answerTo(first));
      appends.add(() -> answerTo(event(aggregate, "{}")));
    }
    List<String> answers = ConcurrentCalls.together(appends);

    assertThat(answers).filteredOn("duplicate"::equals).hasSize(20);
    assertThat(answers).filteredOn("appended"::equals).hasSize(1);
    assertThat(answers).filteredOn("conflict"::equals).hasSize(19);
  }

  private static String answerTo(EventData event) {
    try {
      return store.append(event, AppendCondition.expecting(1)).duplicate()
          ? "duplicate"
          : "appended";
    } catch (SequenceConflictException e) {
      return "conflict";
    }
  }

  @Test
  void appendsDoNotWaitForATransactionOnOtherAggregates() throws Exception {
    Aggregate known = newAggregate();
    Aggregate created = newAggregate();
    store.append(event(known, "{}"));
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<Appended>> held = new ArrayList<>();
    try (Connection connection = begin()) {
      store.append(connection, event(known, "{}"), AppendCondition.ANY);
      store.append(connection, event(created, "{}"), AppendCondition.ANY);
      for (Aggregate aggregate : List.of(known, created, known, created)) {
        held.add(threads.submit(() -> store.append(event(aggregate, "{}"))));
      }

      assertThat(appendTogether(50)).noneMatch(Appended::duplicate);
      assertThat(held).noneMatch(Future::isDone);
      connection.commit();

      List<Long> sequences = new ArrayList<>();
      for (Future<Appended> append : held) {
        sequences.add(append.get().event().sequence());
      }
      assertThat(sequences).containsExactlyInAnyOrder(3L, 2L, 4L, 3L);
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Appended> appendTogether(int count) throws Exception {
    return ConcurrentCalls.together(
        ConcurrentCalls.times(count, () -> store.append(event(newAggregate(), "{}"))));
  }

  private static long transactionsOf(List<Appended> appended) {
    Set<String> ids = appended.stream().map(it -> it.event().id()).collect(Collectors.toSet());
    return new Sql(database.dataSource())
        .query("SELECT event_id || ' ' || xact FROM spice_event_registry.event").stream()
            .map(it -> it.split(" "))
            .filter(it -> ids.contains(it[0]))
            .map(it -> it[1])
            .distinct()
            .count();
  }

  @Test
  void saysWhichPageOfTheLogIsTheLast() {
    String start = end(EventLog.START);
    store.append(event(newAggregate(), "{}"));
    store.append(event(newAggregate(), "{}"));

    assertThat(store.log().read(start, 1).isLast()).isFalse();
    assertThat(store.log().read(start, 3).isLast()).isTrue();
  }

  @Test
  void readsAnEventThatCommitsLate() throws SQLException {
    String start = end(EventLog.START);
    EventData late = event(newAggregate(), "{}");
    EventData early = event(newAggregate(), "{}");
    try (Connection connection = begin()) {
      store.append(connection, late, AppendCondition.ANY);
      store.append(early);

      assertThat(store.log().read(start, 10).events()).isEmpty();
      assertThat(store.log().heldSince()).isPresent();
      connection.commit();
    }
    assertThat(store.log().read(start, 10).events())
        .extracting(Event::id)
        .containsExactlyInAnyOrder(late.id(), early.id());
    assertThat(store.log().heldSince()).isEmpty();
  }

  @Test
  void readsTheEventsOfAnAggregateInOrderIfTheFirstTransactionAppendsLast() throws SQLException {
    String start = end(EventLog.START);
    Aggregate aggregate = newAggregate();
    EventData second = event(aggregate, "{}");
    try (Connection connection = begin()) {
      Sql.query(connection, "SELECT pg_current_xact_id()");
      EventData first = event(aggregate, "{}");
      store.append(first);
      store.append(connection, second, AppendCondition.ANY);
      connection.commit();

      assertThat(store.log().read(start, 10).events())
          .extracting(Event::id)
          .containsExactly(first.id(), second.id());
    }
  }

  @Test
  void continuesALogThatWasMovedFromAnotherCluster() {
    Aggregate aggregate = newAggregate();
    Event before = store.append(event(aggregate, "{}")).event();
    database.execute("UPDATE spice_event_registry.event SET xact = xact + 1000000000");
    database.execute(
        "UPDATE spice_event_registry.aggregate_version SET last_xact = last_xact + 1000000000");
    String read =
        database
            .query(
                "SELECT xact || ':' || position FROM spice_event_registry.event"
                    + " ORDER BY xact DESC, position DESC LIMIT 1")
            .get(0);
    PostgresEventStore moved = PostgresEventStore.over(database.dataSource());

    assertThatThrownBy(() -> moved.append(event(aggregate, "{}")))
        .hasMessageContaining("SELECT spice_event_registry.adopt_moved_log()");
    assertThatThrownBy(() -> moved.log().read(read, 10))
        .hasMessageContaining("SELECT spice_event_registry.adopt_moved_log()");
    database.execute("SELECT spice_event_registry.adopt_moved_log()");
    Event other = moved.append(event(newAggregate(), "{}")).event();
    Event after = moved.append(event(aggregate, "{}")).event();

    assertThat(after.sequence()).isEqualTo(before.sequence() + 1);
    assertThat(moved.log().read(read, 10).events())
        .extracting(Event::id)
        .containsExactly(other.id(), after.id());
  }

  @Test
  void acceptsSequencesOfItsCallers() {
    Aggregate aggregate = newAggregate();
    EventData said = event(aggregate, "{}");
    store.append(said, AppendCondition.at(7));

    assertThat(store.append(said, AppendCondition.at(7)).duplicate()).isTrue();
    assertThatThrownBy(() -> store.append(event(aggregate, "{}"), AppendCondition.at(7)))
        .isInstanceOf(SequenceConflictException.class);
    assertThat(store.lastSequence(aggregate)).isEqualTo(7);
  }

  @Test
  void takesAMismatchForARetryIfThatIsChosen() {
    PostgresEventStore lenient =
        PostgresEventStore.over(
            database.dataSource(), EventsSchema.DEFAULT_NAME, "write_side", MismatchRule.WARN);
    EventData first = event(newAggregate(), "{\"n\":1}");
    lenient.append(first);
    EventData second = EventData.of(first.id(), first.aggregate(), first.type(), "{\"n\":2}");

    Appended retry = lenient.append(second);

    assertThat(retry.duplicate()).isTrue();
    assertThat(retry.event().content().fingerprint()).isEqualTo(first.fingerprint());
  }

  @Test
  void aPageOfTheLogEndsEarlyIfItsEventsAreLarge() {
    EventDatabase large = new EventDatabase("large_events");
    try (large) {
      PostgresEventStore events = PostgresEventStore.over(large.dataSource());
      byte[] data = new byte[EventData.MAX_DATA_BYTES];
      for (int i = 1; i <= 20; i++) {
        EventData content =
            EventData.of("large-" + i, new Aggregate("scan", "1"), "scan.added", "{}")
                .withData("image/png", data);
        events.append(content);
      }

      EventLog.Page first = events.log().read(EventLog.START, 200);
      EventLog.Page second = events.log().read(first.next(), 200);

      assertThat(first.events()).hasSize(16);
      assertThat(first.isLast()).isFalse();
      assertThat(second.events()).hasSize(4);
      assertThat(second.isLast()).isTrue();
    }
  }

  @Test
  void readsTheLogByItsIndex() {
    database.execute(
        """
        INSERT INTO spice_event_registry.event (
          aggregate, sequence, event_id, xact, appended_at, aggregate_type, aggregate_id, kind,
          type, source, content_type, fingerprint, metadata, data)
        SELECT 'many/' || n / 10, 1 + n % 10, 'many-' || n, 1, clock_timestamp(), 'many', n / 10,
          'event', 't', '/', 'application/json', 'none:', '{}', '{}'
        FROM generate_series(1, 20000) n
        """);
    database.execute("ANALYZE spice_event_registry.event");

    List<String> plan =
        database.query(
            """
            EXPLAIN SELECT * FROM spice_event_registry.event
            WHERE (xact, position) > (1, 100)
              AND xact < (SELECT spice_event_registry.log_end())
            ORDER BY xact, position LIMIT 200
            """);
    assertThat(String.join("\n", plan))
        .contains("Index Scan using event_log")
        .doesNotContain("Sort");
    database.execute("DELETE FROM spice_event_registry.event WHERE aggregate_type = 'many'");
  }

  private static Connection begin() throws SQLException {
    Connection connection = database.dataSource().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }
}
