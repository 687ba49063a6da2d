package dev.once.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.StoreException;
import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.Appended;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventDatabase;
import dev.once.events.EventLog;
import dev.once.events.SequenceConflictException;
import dev.once.events.SequenceMode;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.s3.S3Client;

/** An append that ends at any step, and its retry. */
class AppendCrashTest {
  /** Pointer, index entry, event. */
  private static final int PUTS = 3;

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMillis(1);

  private static TestS3 s3;
  private static EventDatabase database;

  private final String log = UUID.randomUUID().toString();
  private final Aggregate aggregate = new Aggregate("order", "Order 1");
  private final EventData event = event();

  @BeforeAll
  static void start() {
    s3 = new TestS3();
    database = new EventDatabase("crash");
  }

  @AfterAll
  static void stop() {
    database.close();
    s3.close();
  }

  static Stream<Arguments> crashes() {
    return Stream.of(SequenceMode.values())
        .flatMap(
            mode ->
                Stream.of(HookedS3.Fault.values())
                    .flatMap(
                        fault ->
                            IntStream.rangeClosed(1, PUTS)
                                .mapToObj(put -> Arguments.of(mode, fault, put))));
  }

  @ParameterizedTest
  @MethodSource("crashes")
  void aRetryAppendsTheEventOnceAtTheSamePlace(SequenceMode mode, HookedS3.Fault fault, int put) {
    AppendCondition condition =
        mode == SequenceMode.OFF ? AppendCondition.at(1) : AppendCondition.expecting(0);
    S3EventStore store = builder(s3.client(), LONG).sequenceMode(mode).build();
    S3EventStore failing =
        builder(HookedS3.around(s3.client(), fault.atPut(put)), LONG).sequenceMode(mode).build();
    assertThatThrownBy(() -> failing.append(event, condition))
        .isInstanceOf(
            fault == HookedS3.Fault.LOST_ANSWER ? StoreException.class : HookedS3.Crash.class);

    Appended retry = store.append(event, condition);

    assertThat(retry.event().sequence()).isEqualTo(1);
    assertThat(retry.duplicate()).isEqualTo(put == PUTS && fault != HookedS3.Fault.CRASH_BEFORE);
    assertThat(store.append(event, condition).duplicate()).isTrue();
    assertThat(store.read(aggregate, 0, 10)).extracting(Event::id).containsExactly(event.id());
    assertThat(store.lastSequence(aggregate)).isEqualTo(1);
    assertThat(readAll(store)).extracting(Event::id).containsExactly(event.id());
  }

  @ParameterizedTest
  @MethodSource("puts")
  void aRetryAfterTheReadersGaveUpFindsALaterPlace(int put) {
    S3EventStore store = builder(s3.client(), SHORT).build();
    crash(HookedS3.Fault.CRASH_BEFORE, put, SHORT);
    assertThat(readAll(store)).isEmpty();

    Appended retry = store.append(event, AppendCondition.ANY);

    assertThat(retry.duplicate()).isFalse();
    assertThat(retry.event().sequence()).isEqualTo(2);
    assertThat(store.read(aggregate, 0, 10)).extracting(Event::sequence).containsExactly(2L);
    assertThat(store.find(event.id())).map(Event::sequence).contains(2L);
    assertThat(readAll(store)).extracting(Event::sequence).containsExactly(2L);
    assertThat(store.append(event()).event().sequence()).isEqualTo(3);
  }

  static IntStream puts() {
    return IntStream.rangeClosed(1, PUTS);
  }

  @Test
  void anAbandonedPlaceCountsForWhatACallerExpects() {
    S3EventStore store = builder(s3.client(), SHORT).build();
    crash(HookedS3.Fault.CRASH_BEFORE, PUTS, SHORT);
    assertThat(readAll(store)).isEmpty();

    assertThatThrownBy(() -> store.append(event, AppendCondition.expecting(0)))
        .isInstanceOf(SequenceConflictException.class);
    long last = store.lastSequence(aggregate);
    assertThat(last).isEqualTo(1);
    assertThat(store.append(event, AppendCondition.expecting(last)).duplicate()).isFalse();
  }

  @Test
  void readersSettleAnEventWhoseWriterCrashedAfterIt() {
    S3EventStore store = builder(s3.client(), SHORT).build();
    crash(HookedS3.Fault.CRASH_AFTER, PUTS, SHORT);

    assertThat(store.lastSequence(aggregate)).isEqualTo(1);
    assertThat(readAll(store)).extracting(Event::id).containsExactly(event.id());
    assertThat(openReservations()).isEqualTo("0");
  }

  @Test
  void aRetryEndsTheReservationOfAWriterThatCrashedAfterTheEvent() {
    S3EventStore store = builder(s3.client(), LONG).build();
    crash(HookedS3.Fault.CRASH_AFTER, PUTS, LONG);
    assertThat(openReservations()).isEqualTo("1");

    assertThat(store.append(event).duplicate()).isTrue();
    assertThat(openReservations()).isEqualTo("0");
  }

  @Test
  void aLateWriterDoesNotWriteWhereReadersHavePassed() {
    S3EventStore readers = builder(s3.client(), SHORT).build();
    List<Event> read = new ArrayList<>();
    HookedS3 slow =
        new HookedS3() {
          private boolean passed;

          @Override
          public void before(String name) {
            if (name.contains("/aggregates/") && !passed) {
              passed = true;
              read.addAll(readAll(readers));
            }
          }
        };
    Appended late = builder(HookedS3.around(s3.client(), slow), SHORT).build().append(event);

    assertThat(read).isEmpty();
    assertThat(late.duplicate()).isFalse();
    assertThat(late.event().sequence()).isEqualTo(2);
    assertThat(readAll(readers)).extracting(Event::sequence).containsExactly(2L);
    assertThat(openReservations()).isEqualTo("0");
  }

  @Test
  void givesItsPlaceBackIfAConcurrentAppendOfTheEventEnded() {
    S3EventStore store = builder(s3.client(), LONG).build();
    AtomicBoolean overtaken = new AtomicBoolean();
    DataSource slow =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  if (!overtaken.getAndSet(true)) {
                    store.append(event); // After the other append looked for the event's pointer.
                  }
                  return method.invoke(database.dataSource(), arguments);
                });
    Appended appended = builder(s3.client(), LONG).database(slow).build().append(event);

    assertThat(appended.duplicate()).isTrue();
    assertThat(appended.event().sequence()).isEqualTo(1);
    assertThat(store.lastSequence(aggregate)).isEqualTo(1);
    assertThat(openReservations()).isEqualTo("0");
    assertThat(store.append(event()).event().sequence()).isEqualTo(2);
  }

  @Test
  void finishesAnAppendWhoseReservationTheDatabaseLost() {
    S3EventStore store = builder(s3.client(), LONG).build();
    crash(HookedS3.Fault.CRASH_BEFORE, PUTS, LONG);
    forget("sequence_reservation WHERE log");

    assertThat(store.append(event).event().sequence()).isEqualTo(2);
    assertThat(readAll(store)).extracting(Event::sequence).containsExactly(2L);
  }

  @Test
  void findsAPlaceAfterTheDatabaseLostItsSequences() {
    S3EventStore store = builder(s3.client(), LONG).build();
    store.append(event());
    store.append(event());
    forget("aggregate_version WHERE handler");

    assertThat(store.append(event).event().sequence()).isEqualTo(3);
    assertThat(store.read(aggregate, 0, 10)).hasSize(3);
  }

  @Test
  void readsAnAggregateUpToAnEventThatIsAboutToBeWritten() {
    S3EventStore store = builder(s3.client(), LONG).build();
    store.append(event());
    crash(HookedS3.Fault.CRASH_BEFORE, PUTS, LONG);
    store.append(event());

    assertThat(store.read(aggregate, 0, 10)).extracting(Event::sequence).containsExactly(1L);
    assertThat(store.lastSequence(aggregate)).isEqualTo(1);
    assertThat(store.log().heldSince()).isPresent();
    assertThat(readAll(store)).extracting(Event::sequence).containsExactly(1L);

    store.append(event);
    assertThat(store.read(aggregate, 0, 10))
        .extracting(Event::sequence)
        .containsExactly(1L, 2L, 3L);
    assertThat(store.lastSequence(aggregate)).isEqualTo(3);
    assertThat(readAll(store)).extracting(Event::sequence).containsExactly(1L, 2L, 3L);
    assertThat(store.log().heldSince()).isEmpty();
  }

  private void crash(HookedS3.Fault fault, int put, Duration lease) {
    S3EventStore crashing = builder(HookedS3.around(s3.client(), fault.atPut(put)), lease).build();
    assertThatThrownBy(() -> crashing.append(event)).isInstanceOf(HookedS3.Crash.class);
  }

  /** Reads the log twice: a reader that was held back decides anew how far it reads. */
  private static List<Event> readAll(S3EventStore store) {
    store.log().read(EventLog.START, 1);
    return store.log().read(EventLog.START, 100).events();
  }

  private void forget(String rows) {
    database.execute("DELETE FROM spice_event_registry.%s LIKE '%s%%'".formatted(rows, log));
  }

  private String openReservations() {
    return database
        .query(
            "SELECT count(*) FROM spice_event_registry.sequence_reservation WHERE log = '%s'"
                .formatted(log))
        .get(0);
  }

  private S3EventStore.Builder builder(S3Client client, Duration lease) {
    return S3EventStore.builder(client, TestS3.BUCKET)
        .prefix(log)
        .database(database.dataSource())
        .sequences("spice_event_registry", log)
        .reservationLease(lease)
        .readDelay(Duration.ZERO);
  }

  private EventData event() {
    return EventData.of(UUID.randomUUID().toString(), aggregate, "order.changed", "{}");
  }
}
