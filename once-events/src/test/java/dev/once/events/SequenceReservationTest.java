package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.internal.PostgresSequences;
import dev.once.events.internal.Reservation;
import dev.once.events.internal.ReserveResult;
import dev.once.events.internal.ReservedSequences;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SequenceReservationTest {
  private static EventDatabase database;
  private PostgresSequences sequences;

  @BeforeAll
  static void create() {
    database = new EventDatabase("reservations");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void createSequences() {
    sequences = sequences(Duration.ofMinutes(1));
  }

  @Test
  void givesARetryTheSamePlace() {
    EventData event = event(newAggregate());
    Reservation first = reserve(event, AppendCondition.expecting(0));

    assertThat(reserve(event, AppendCondition.expecting(0))).isEqualTo(first);
    assertThat(first.sequence()).isEqualTo(1);
    assertThat(sequences.reserved(event.aggregate()).last()).isEqualTo(1);
  }

  @Test
  void refusesAnotherEventUnderTheSameId() {
    EventData event = event(newAggregate());
    reserve(event, AppendCondition.ANY);
    EventData other = EventData.of(event.id(), newAggregate(), event.type(), event.data());

    assertThat(sequences.reserve(other, other.fingerprint(), AppendCondition.ANY))
        .isEqualTo(new ReserveResult.Mismatch(event.fingerprint()));
    assertThat(sequences.reserved(other.aggregate()).last()).isZero();
  }

  @Test
  void refusesAWrongExpectation() {
    Aggregate aggregate = newAggregate();
    reserve(event(aggregate), AppendCondition.ANY);
    EventData late = event(aggregate);

    assertThat(sequences.reserve(late, late.fingerprint(), AppendCondition.expecting(0)))
        .isEqualTo(new ReserveResult.Conflict(1));
  }

  @Test
  void letsTheLogBeReadUpToTheFirstOpenPlace() {
    Reservation first = reserve(event(newAggregate()), AppendCondition.ANY);
    Reservation second = reserve(event(newAggregate()), AppendCondition.ANY);

    assertThat(sequences.settledBefore()).isEqualTo(first.time());
    sequences.release(first);
    assertThat(sequences.settledBefore()).isEqualTo(second.time());
    sequences.release(second);
    sequences.settledBefore();
    assertThat(sequences.settledBefore()).isAfter(second.time());
  }

  @Test
  void waitsForAReservationThatIsNotCommitted() throws SQLException {
    Instant before = sequences.settledBefore();
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Sql.query(
          connection,
          "SELECT * FROM spice_event_registry.reserve_sequence('%s', 'h', 'a/%s', NULL, 'late', 'f:',"
                  .formatted(log, UUID.randomUUID())
              + " interval '1 minute')");
      sequences.settledBefore();
      Instant held = sequences.settledBefore();
      connection.commit();

      Instant reserved =
          Instant.parse(
              database
                  .query(
                      "SELECT to_char(event_time AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
                          + " FROM spice_event_registry.sequence_reservation WHERE event_id = 'late'")
                  .get(0));
      assertThat(held).isAfterOrEqualTo(before).isBefore(reserved);
      assertThat(sequences.settledBefore()).isEqualTo(reserved);
    }
    database.execute("DELETE FROM spice_event_registry.sequence_reservation");
  }

  @Test
  void reservesAfterWhatWasReadAlsoIfTheClockIsSetBack() {
    database.execute(
        "INSERT INTO spice_event_registry.log_time VALUES ('%s', clock_timestamp() + interval '1 hour')"
            .formatted(log));
    Instant read = sequences.settledBefore();

    assertThat(reserve(event(newAggregate()), AppendCondition.ANY).time()).isAfterOrEqualTo(read);
  }

  @Test
  void listsPlacesWhoseAppendsDidNotEnd() {
    PostgresSequences hasty = sequences(Duration.ZERO);
    EventData event = event(newAggregate());
    Reservation open =
        ((ReserveResult.Reserved) hasty.reserve(event, event.fingerprint(), AppendCondition.ANY))
            .reservation();

    assertThat(hasty.expired(10)).containsExactly(open);
    hasty.release(open);
    assertThat(hasty.expired(10)).isEmpty();
  }

  @Test
  void givesBackTheLastPlace() {
    EventData event = event(newAggregate());
    Reservation unused = reserve(event, AppendCondition.ANY);

    assertThat(sequences.giveBack(event.aggregate(), unused)).isTrue();
    assertThat(sequences.giveBack(event.aggregate(), unused)).isTrue();
    assertThat(sequences.reserved(event.aggregate()).last()).isZero();
    assertThat(reserve(event(event.aggregate()), AppendCondition.ANY).sequence()).isEqualTo(1);
  }

  @Test
  void doesNotGiveBackAPlaceBeforeAnotherOne() {
    EventData event = event(newAggregate());
    Reservation unused = reserve(event, AppendCondition.ANY);
    reserve(event(event.aggregate()), AppendCondition.ANY);

    assertThat(sequences.giveBack(event.aggregate(), unused)).isFalse();
    assertThat(reserve(event, AppendCondition.ANY)).isEqualTo(unused);
  }

  @Test
  void tellsUpToWhichSequenceAnAggregateIsSettled() {
    Aggregate aggregate = newAggregate();
    assertThat(sequences.reserved(aggregate)).isEqualTo(new ReservedSequences(0, 0));
    sequences.release(reserve(event(aggregate), AppendCondition.ANY));
    Reservation second = reserve(event(aggregate), AppendCondition.ANY);
    sequences.release(reserve(event(aggregate), AppendCondition.ANY));

    assertThat(sequences.reserved(aggregate)).isEqualTo(new ReservedSequences(3, 1));
    sequences.release(second);
    assertThat(sequences.reserved(aggregate)).isEqualTo(new ReservedSequences(3, 3));
  }

  private final String log = "log-" + UUID.randomUUID();

  private PostgresSequences sequences(Duration lease) {
    return new PostgresSequences(database.dataSource(), EventsSchema.DEFAULT_NAME, log, lease);
  }

  private Reservation reserve(EventData event, AppendCondition condition) {
    return ((ReserveResult.Reserved) sequences.reserve(event, event.fingerprint(), condition))
        .reservation();
  }

  private static Aggregate newAggregate() {
    return new Aggregate("order", UUID.randomUUID().toString());
  }

  private static EventData event(Aggregate aggregate) {
    return EventData.of(UUID.randomUUID().toString(), aggregate, "order.changed", "{}");
  }
}
