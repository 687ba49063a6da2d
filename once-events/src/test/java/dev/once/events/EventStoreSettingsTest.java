package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The environment variables of event stores, and what each does to the store on PostgreSQL. */
class EventStoreSettingsTest {
  private static EventDatabase database;

  private final Aggregate aggregate = new Aggregate("order", UUID.randomUUID().toString());

  @BeforeAll
  static void open() {
    database = new EventDatabase("settings");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void haveTheDefaultsOfTheirContract() {
    EventStoreSettings settings = EventStoreSettings.of(Map.of("EVENT_STORE_SEQUENCE_SCHEMA", " "));

    assertThat(settings.sequenceMode()).isEqualTo(SequenceMode.POSTGRES);
    assertThat(settings.schema()).isEqualTo("spice_event_registry");
    assertThat(settings.handlerPrefix()).isEqualTo("write_side");
    assertThat(settings.mismatchRule()).isEqualTo(MismatchRule.ERROR);
  }

  @ParameterizedTest
  @CsvSource({"postgres, POSTGRES", "legacy, S3", "S3, S3", "off, OFF"})
  void knowEveryMode(String name, SequenceMode mode) {
    assertThat(
            EventStoreSettings.of(Map.of("EVENT_STORE_SEQUENCE_ALLOCATOR_MODE", name))
                .sequenceMode())
        .isEqualTo(mode);
  }

  @ParameterizedTest
  @CsvSource({
    "EVENT_STORE_SEQUENCE_ALLOCATOR_MODE, redis, 'postgres, s3, legacy or off'",
    "EVENT_STORE_SEQUENCE_SCHEMA, Event Store, a-z",
    "EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE, ignore, error or warn"
  })
  void refuseABadValueWithItsNameAndWhatIsAllowed(String name, String value, String allowed) {
    assertThatThrownBy(() -> EventStoreSettings.of(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name)
        .hasMessageContaining(allowed)
        .hasMessageEndingWith("got " + value);
    assertThatThrownBy(
            () ->
                EventStoreSettings.of(
                    Map.of("EVENT_STORE_SEQUENCE_HANDLER_PREFIX", "x".repeat(101))))
        .hasMessageStartingWith("EVENT_STORE_SEQUENCE_HANDLER_PREFIX")
        .hasMessageContaining("1 to 100");
  }

  @Test
  void chooseTheSchemaOfTheTables() {
    EventsSchema.named("other_log").apply(database.dataSource());
    PostgresEventStore store = store("EVENT_STORE_SEQUENCE_SCHEMA", "other_log");

    store.append(event("{}"));

    assertThat(database.query("SELECT count(*) FROM other_log.event")).containsExactly("1");
  }

  @Test
  void chooseThePrefixUnderWhichSequencesAreReserved() {
    PostgresEventStore store = store("EVENT_STORE_SEQUENCE_HANDLER_PREFIX", "orders");

    store.append(event("{}"));

    assertThat(
            database.query(
                "SELECT handler FROM spice_event_registry.aggregate_version WHERE aggregate = '%s'"
                    .formatted(aggregate.key())))
        .containsExactly("orders:order");
  }

  @Test
  void chooseWhatHappensToAUsedId() {
    PostgresEventStore strict = store("EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE", "error");
    PostgresEventStore lenient = store("EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE", "warn");
    EventData first = event("{}");
    EventData second = EventData.of(first.id(), aggregate, first.type(), "{\"n\":2}");
    strict.append(first);

    assertThatThrownBy(() -> strict.append(second)).isInstanceOf(EventMismatchException.class);
    assertThat(lenient.append(second).duplicate()).isTrue();
  }

  @Test
  void chooseWhichSideGivesTheSequence() {
    PostgresEventStore off = store("EVENT_STORE_SEQUENCE_ALLOCATOR_MODE", "off");

    assertThatThrownBy(() -> off.append(event("{}"))).hasMessageContaining("AppendCondition.at");
    assertThat(off.append(event("{}"), AppendCondition.at(7)).event().sequence()).isEqualTo(7);
    assertThat(
            store("EVENT_STORE_SEQUENCE_ALLOCATOR_MODE", "postgres")
                .append(event("{}"))
                .event()
                .sequence())
        .isEqualTo(8);
    assertThatThrownBy(() -> store("EVENT_STORE_SEQUENCE_ALLOCATOR_MODE", "legacy"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "EVENT_STORE_SEQUENCE_ALLOCATOR_MODE must be postgres or off for a store on PostgreSQL,"
                + " got s3 or legacy");
  }

  private static PostgresEventStore store(String name, String value) {
    return PostgresEventStore.over(
        database.dataSource(), EventStoreSettings.of(Map.of(name, value)));
  }

  private EventData event(String json) {
    return EventData.of(UUID.randomUUID().toString(), aggregate, "order.changed", json);
  }
}
