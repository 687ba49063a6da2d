package dev.once.events;

import static dev.once.events.RegistryDatabase.HANDLER;
import static dev.once.events.Settlements.await;
import static dev.once.events.TestEvents.event;
import static dev.once.events.TestEvents.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects in the registry's database commit with its rows, or not at all. */
class TransactionalEffectTest {
  @RegisterExtension static final RegistryDatabase DATABASE = new RegistryDatabase("transaction");

  private final RecordedConsumerEvents reports = new RecordedConsumerEvents();
  private final List<EventConsumer> consumers = new ArrayList<>();

  @AfterEach
  void close() {
    consumers.forEach(EventConsumer::close);
  }

  @Test
  void effectsAndRowsCommitTogether() {
    EventConsumer consumer = start(builder(DATABASE.events()), TransactionalEffectTest::write);

    Settlements.handle(consumer, events("a", 20));

    assertThat(DATABASE.effects()).hasSize(20).startsWith("a-1", "a-2");
    assertThat(await(consumer.submit(event("a", 20)))).isInstanceOf(Settlement.Duplicate.class);
  }

  @Test
  void eventsOfOneBatchShareATransaction() {
    List<Event> batch = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      batch.add(event("order-" + i, 1));
    }
    EventConsumer consumer =
        start(
            builder(DATABASE.events()).concurrency(1),
            (event, connection) -> {
              Sql.execute(
                  connection, "INSERT INTO effect (event_id) SELECT pg_current_xact_id()::text");
            });

    Settlements.handle(consumer, batch);

    // The thread may have taken the first aggregate before the others were there.
    assertThat(DATABASE.query("SELECT DISTINCT event_id FROM effect")).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void aFailedEffectIsUndoneAndTheOthersOfItsBatchAreNot() {
    EventConsumer consumer =
        start(
            builder(DATABASE.events()),
            (event, connection) -> {
              write(event, connection);
              if (event.id().equals("a-2") && reports.all(ConsumerEvent.Failed.class).isEmpty()) {
                Sql.execute(connection, "SELECT 1 / 0");
              }
            });

    List<Event> events = new ArrayList<>(events("a", 3));
    events.addAll(events("b", 3));
    Settlements.handle(consumer, events);

    assertThat(DATABASE.effects())
        .containsExactlyInAnyOrder("a-1", "a-2", "a-3", "b-1", "b-2", "b-3")
        .containsSubsequence("a-1", "a-2", "a-3");
    assertThat(reports.all(ConsumerEvent.Failed.class)).hasSize(1);
  }

  @Test
  void aFailedStatementThatItsEffectIgnoresIsAFailedAttempt() {
    EventConsumer consumer =
        start(
            builder(DATABASE.events()),
            (event, connection) -> {
              write(event, connection);
              if (event.id().equals("a-2")) {
                assertThatThrownBy(() -> Sql.execute(connection, "SELECT 1 / 0"));
              }
            });

    List<Settlement> settlements = await(consumer.submit(events("a", 3)));

    assertThat(settlements.get(1)).isInstanceOf(Settlement.Skipped.class);
    assertThat(DATABASE.effects()).containsExactly("a-1", "a-3");
  }

  @Test
  void anEffectThatRollsBackFailsAlone() {
    EventConsumer consumer =
        start(
            builder(DATABASE.events()),
            (event, connection) -> {
              write(event, connection);
              if (event.id().equals("b-1")) {
                connection.rollback();
              }
            });
    List<Event> events = new ArrayList<>(events("a", 3));
    events.addAll(events("b", 1));

    List<Settlement> settlements = await(consumer.submit(events));

    assertThat(settlements.get(3)).isInstanceOf(Settlement.Skipped.class);
    assertThat(DATABASE.effects()).containsExactly("a-1", "a-2", "a-3");
  }

  @Test
  void aConnectionThatIsLostDuringAnEffectIsNoFailedAttempt() {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    EventConsumer consumer =
        start(
            builder(DATABASE.events()).retries(EventRetryPolicy.SKIP.withAttempts(1)),
            (event, connection) -> {
              if (isFirst.getAndSet(false)) {
                String backend = Sql.query(connection, "SELECT pg_backend_pid()").get(0);
                DATABASE.execute("SELECT pg_terminate_backend(" + backend + ")");
              }
              write(event, connection);
            });

    assertThat(await(consumer.submit(event("a", 1)))).isInstanceOf(Settlement.Handled.class);
    assertThat(DATABASE.effects()).containsExactly("a-1");
  }

  @Test
  void anEffectThatKeepsEndingItsConnectionIsGivenUp() {
    EventConsumer consumer =
        start(
            builder(DATABASE.events()).retries(EventRetryPolicy.SKIP.withAttempts(2)),
            (event, connection) -> {
              if (event.id().equals("a-1")) {
                String backend = Sql.query(connection, "SELECT pg_backend_pid()").get(0);
                DATABASE.execute("SELECT pg_terminate_backend(" + backend + ")");
              }
              write(event, connection);
            });

    List<Settlement> settlements = await(consumer.submit(events("a", 2)));

    assertThat(settlements.get(0)).isInstanceOf(Settlement.Skipped.class);
    assertThat(settlements.get(1)).isInstanceOf(Settlement.Handled.class);
    assertThat(DATABASE.effects()).containsExactly("a-2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit", "rollback", "setAutoCommit", "close"})
  void anEffectCannotEndTheTransactionOfOthers(String call) {
    List<String> runs = Collections.synchronizedList(new ArrayList<>());
    EventConsumer consumer =
        start(
            builder(DATABASE.events()),
            (event, connection) -> {
              write(event, connection);
              runs.add(event.id());
              if (event.id().equals("a-3")) {
                switch (call) {
                  case "commit" -> connection.commit();
                  case "rollback" -> connection.rollback();
                  case "setAutoCommit" -> connection.setAutoCommit(true);
                  default -> connection.close();
                }
              }
            });

    List<Settlement> settlements = await(consumer.submit(events("a", 4)));

    assertThat(settlements.get(2)).isInstanceOf(Settlement.Skipped.class);
    assertThat(settlements.get(2).toString()).contains("must not call " + call);
    assertThat(DATABASE.effects()).containsExactly("a-1", "a-2", "a-4");
    assertThat(runs).filteredOn(it -> it.equals("a-3")).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void aLetterIsSentOnceIfAnotherEventOfItsBatchFails() {
    List<String> letters = Collections.synchronizedList(new ArrayList<>());
    Event lapsed = event("a", 1);
    RegistryClient other = DATABASE.client();
    for (int attempt = 1; attempt <= 2; attempt++) { // Its process crashes in each attempt.
      other.granted(lapsed);
      DATABASE.elapse(ProcessedEvents.DEFAULT_LEASE);
    }
    EventConsumer consumer =
        start(
            builder(DATABASE.events())
                .concurrency(1)
                .retries(
                    EventRetryPolicy.deadLetter(letter -> letters.add(letter.event().id()))
                        .withAttempts(2)
                        .withDelays(Duration.ofMillis(1), Duration.ofMillis(20))),
            (event, connection) -> {
              write(event, connection);
              if (event.id().equals("a-2") && reports.all(ConsumerEvent.Failed.class).isEmpty()) {
                throw new IllegalStateException("not now");
              }
            });

    List<Settlement> settlements = await(consumer.submit(List.of(lapsed, event("a", 2))));

    assertThat(settlements.get(0)).isInstanceOf(Settlement.Dead.class);
    assertThat(settlements.get(1)).isInstanceOf(Settlement.Handled.class);
    assertThat(letters).containsExactly("a-1");
  }

  @Test
  void aConstraintThatFailsAtCommitFailsItsOwnEventOnly() {
    DATABASE.execute(
        """
        CREATE TABLE IF NOT EXISTS parent (id text PRIMARY KEY);
        CREATE TABLE IF NOT EXISTS child (
          id text REFERENCES parent DEFERRABLE INITIALLY DEFERRED)
        """);
    EventConsumer consumer =
        start(
            builder(DATABASE.events()),
            (event, connection) -> {
              write(event, connection);
              if (event.aggregate().id().equals("orphan")) {
                Sql.execute(connection, "INSERT INTO child VALUES ('nobody')");
              }
            });

    List<Event> events = new ArrayList<>(events("orphan", 1));
    events.addAll(events("b", 3));
    List<Settlement> settlements = await(consumer.submit(events));

    assertThat(settlements.get(0)).isInstanceOf(Settlement.Skipped.class);
    assertThat(settlements.subList(1, 4)).allMatch(Settlement.Handled.class::isInstance);
    assertThat(DATABASE.effects()).containsExactly("b-1", "b-2", "b-3");
  }

  @Test
  void aCommitWhoseAnswerWasLostIsNotRepeated() {
    AtomicBoolean loses = new AtomicBoolean();
    TestSource source =
        () ->
            TestSource.observe(
                DATABASE.pool().getConnection(),
                method -> {
                  if (method.equals("commit") && loses.getAndSet(false)) {
                    throw new SQLException("the connection is gone", "08006");
                  }
                });
    ProcessedEvents registry =
        ProcessedEvents.builder(source.toDataSource()).schema(RegistryDatabase.SCHEMA).build();
    EventConsumer consumer =
        start(
            builder(registry),
            (event, connection) -> {
              write(event, connection);
              loses.set(event.sequence() == 1 || event.sequence() == 4);
            });

    Settlements.handle(consumer, events("a", 1)); // Alone in its transaction.
    Settlements.handle(consumer, events("a", 4).subList(1, 4));

    assertThat(DATABASE.effects()).containsExactly("a-1", "a-2", "a-3", "a-4");
  }

  @Test
  void anEffectWhoseLeaseWasTakenOverIsUndone() {
    RegistryClient other = DATABASE.client();
    AtomicBoolean isFirst = new AtomicBoolean(true);
    List<EventLease> takenOver = new ArrayList<>();
    EventConsumer consumer =
        start(
            builder(DATABASE.events()),
            (event, connection) -> {
              write(event, connection);
              if (isFirst.getAndSet(false)) {
                DATABASE.elapse(ProcessedEvents.DEFAULT_LEASE);
                takenOver.add(other.granted(event));
              }
            });

    var settlement = consumer.submit(event("a", 1));
    Settlements.until(() -> !reports.all(ConsumerEvent.LeaseLost.class).isEmpty(), "a lost lease");
    assertThat(DATABASE.effects()).isEmpty();
    other.done(takenOver.get(0));

    assertThat(await(settlement)).isInstanceOf(Settlement.Duplicate.class);
    assertThat(DATABASE.effects()).isEmpty();
  }

  @Test
  void aFailedEffectUndoesTheWholeTransactionOfAFramework() {
    AtomicInteger transactions = new AtomicInteger();
    EventTransactions jdbc = new JdbcEventTransactions(DATABASE.pool());
    EventConsumer consumer =
        start(
            builder(DATABASE.events())
                .transactions(
                    callback -> {
                      transactions.incrementAndGet();
                      jdbc.execute(callback);
                    }),
            (event, connection) -> {
              write(event, connection);
              if (event.id().equals("a-2")) {
                throw new IllegalStateException("never succeeds");
              }
            });

    List<Settlement> settlements = await(consumer.submit(events("a", 3)));

    assertThat(settlements.get(1)).isInstanceOf(Settlement.Skipped.class);
    assertThat(DATABASE.effects()).containsExactly("a-1", "a-3");
    assertThat(reports.all(ConsumerEvent.Failed.class)).hasSize(2);
    assertThat(transactions.get()).isGreaterThanOrEqualTo(5);
  }

  @Test
  void aCommitThatAFrameworkRolledBackIsAFailedAttempt() {
    EventTransactions refusing =
        callback -> {
          try (Connection connection = DATABASE.pool().getConnection()) {
            connection.setAutoCommit(false);
            callback.execute(connection);
            connection.rollback();
          }
          throw new EventTransactions.RolledBackException(new IllegalStateException("refused"));
        };
    EventConsumer consumer =
        start(builder(DATABASE.events()).transactions(refusing), TransactionalEffectTest::write);

    Settlement settlement = await(consumer.submit(event("a", 1)));

    assertThat(settlement).isInstanceOf(Settlement.Skipped.class);
    assertThat(DATABASE.effects()).isEmpty();
    assertThat(reports.all(ConsumerEvent.Failed.class)).hasSize(2);
  }

  private static void write(Event event, Connection connection) throws SQLException {
    Sql.execute(connection, "INSERT INTO effect (event_id) VALUES ('" + event.id() + "')");
  }

  private EventConsumer.Builder builder(ProcessedEvents registry) {
    return EventConsumer.named(HANDLER)
        .registry(registry)
        .concurrency(2)
        .retries(
            EventRetryPolicy.SKIP
                .withAttempts(3)
                .withDelays(Duration.ofMillis(1), Duration.ofMillis(20)))
        .listener(reports);
  }

  private EventConsumer start(EventConsumer.Builder builder, TransactionalEventEffect effect) {
    EventConsumer consumer = builder.startTransactional(effect);
    consumers.add(consumer);
    return consumer;
  }
}
