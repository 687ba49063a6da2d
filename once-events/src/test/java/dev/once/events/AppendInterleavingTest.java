package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.StoreUnavailableException;
import dev.once.testkit.ConcurrentCalls;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Appends beside other appends, and beside transactions that stay open. */
@Timeout(120)
class AppendInterleavingTest {
  private static final int PROCESSES = 4;
  private static final int NEW_AGGREGATES = 1_000;

  private static EventDatabase database;
  private static PostgresEventStore store;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeAll
  static void create() {
    database = new EventDatabase("interleaving");
    store = PostgresEventStore.over(database.dataSource());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @Test
  void severalProcessesAppendTheFirstEventsOfAnAggregate() throws Exception {
    List<Aggregate> aggregates = new ArrayList<>();
    for (int i = 0; i < NEW_AGGREGATES; i++) {
      aggregates.add(newAggregate());
    }
    List<Callable<Integer>> processes = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      PostgresEventStore mine = PostgresEventStore.over(database.dataSource());
      processes.add(
          () -> {
            aggregates.forEach(it -> mine.append(newEvent(it)));
            return aggregates.size();
          });
    }

    ConcurrentCalls.together(processes);

    assertThat(aggregates).allMatch(it -> store.lastSequence(it) == PROCESSES);
  }

  @Test
  void anIdOfAnOpenTransactionHoldsUpNoOtherAppend() throws Exception {
    PostgresEventStore other = PostgresEventStore.over(onOtherThreads());
    String id = UUID.randomUUID().toString();
    try (Connection connection = begin()) {
      store.append(connection, event(id, newAggregate()), AppendCondition.ANY);
      Future<Appended> retry = threads.submit(() -> other.append(event(id, newAggregate())));
      awaitLockWaits(1);
      long start = System.nanoTime();

      other.append(newEvent(newAggregate()));

      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
      connection.rollback();
      assertThat(retry.get().duplicate()).isFalse();
    }
  }

  @Test
  void aWaitThatFailsHasEndedInTheServer() throws Exception {
    Aggregate held = newAggregate();
    store.append(newEvent(held));
    try (Connection connection = begin()) {
      store.append(connection, newEvent(held), AppendCondition.ANY);
      List<Callable<String>> appends =
          ConcurrentCalls.times(
              8,
              () -> {
                assertThatThrownBy(() -> store.append(newEvent(held)))
                    .isInstanceOf(StoreUnavailableException.class);
                return "refused";
              });

      assertThat(ConcurrentCalls.together(appends)).containsOnly("refused");

      assertThat(lockWaits()).isZero();
      connection.rollback();
    }
    assertThat(store.lastSequence(held)).isEqualTo(1);
  }

  @Test
  void waitsForOneAggregateHoldUpNoRetryOfAnother() throws Exception {
    PostgresEventStore other = PostgresEventStore.over(onOtherThreads());
    EventData known = newEvent(newAggregate());
    other.append(known);
    Aggregate held = newAggregate();
    store.append(newEvent(held));
    try (Connection connection = begin()) {
      store.append(connection, newEvent(held), AppendCondition.ANY);
      for (int i = 0; i < 16; i++) {
        Future<Appended> unused = threads.submit(() -> other.append(newEvent(held)));
      }
      awaitLockWaits(2);
      long start = System.nanoTime();

      assertThat(other.append(known).duplicate()).isTrue();

      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
      connection.rollback();
    }
  }

  @Test
  void aTransactionMayCreateManyAggregates() throws Exception {
    try (Connection connection = begin()) {
      for (int i = 0; i < 2_000; i++) {
        store.append(connection, newEvent(newAggregate()), AppendCondition.ANY);
      }

      assertThat(database.query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
          .containsExactly("0");
      connection.rollback();
    }
  }

  @Test
  void appendsAndReadsUseTheSameDatabase() {
    ThreadLocal<DataSource> current = ThreadLocal.withInitial(database::dataSource);
    try (EventDatabase tenant = new EventDatabase("tenant")) {
      PostgresEventStore routed =
          PostgresEventStore.over(
              ((TestSource) () -> current.get().getConnection()).toDataSource());
      EventData event = newEvent(newAggregate());
      current.set(tenant.dataSource());

      routed.append(event);

      assertThat(routed.find(event.id())).isPresent();
    }
  }

  @Test
  void twoHandlerPrefixesInOneSchemaAreRefused() {
    PostgresEventStore other =
        PostgresEventStore.over(
            database.dataSource(), EventsSchema.DEFAULT_NAME, "other", MismatchRule.ERROR);
    Aggregate aggregate = newAggregate();
    store.append(newEvent(aggregate));

    assertThatThrownBy(() -> other.append(newEvent(aggregate)))
        .hasMessageContaining("another handler prefix");
  }

  /** Waits until so many connections of this database wait for a lock. */
  private static void awaitLockWaits(int count) {
    Settlements.until(() -> lockWaits() >= count, "%d waits for a lock".formatted(count));
  }

  private static int lockWaits() {
    return Integer.parseInt(
        database
            .query(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    + " AND datname = current_database()")
            .get(0));
  }

  /** A source that is not known to ignore the calling thread. */
  private static DataSource onOtherThreads() {
    return ((TestSource) () -> database.dataSource().getConnection()).toDataSource();
  }

  private static Connection begin() throws SQLException {
    Connection connection = database.dataSource().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private static Aggregate newAggregate() {
    return new Aggregate("order", UUID.randomUUID().toString());
  }

  private static EventData newEvent(Aggregate aggregate) {
    return event(UUID.randomUUID().toString(), aggregate);
  }

  private static EventData event(String id, Aggregate aggregate) {
    return EventData.of(id, aggregate, "order.changed", "{}");
  }
}
