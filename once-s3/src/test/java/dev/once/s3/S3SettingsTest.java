package dev.once.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.EventData;
import dev.once.events.EventDatabase;
import dev.once.events.EventMismatchException;
import dev.once.events.EventStoreSettings;
import dev.once.events.EventsSchema;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the environment variables of event stores do to the store on S3. */
class S3SettingsTest {
  private static EventDatabase database;
  private static TestS3 s3;

  private final Aggregate aggregate = new Aggregate("order", UUID.randomUUID().toString());
  private final String prefix = UUID.randomUUID().toString();

  @BeforeAll
  static void open() {
    database = new EventDatabase("s3-settings");
    s3 = new TestS3();
  }

  @AfterAll
  static void close() {
    s3.close();
    database.close();
  }

  @Test
  void reserveSequencesInPostgresqlByDefault() {
    store(Map.of()).append(event("{}"));

    assertThat(handlers("spice_event_registry")).containsExactly("write_side:order");
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3", "legacy"})
  void takeTheSequenceAfterTheLastObject(String mode) {
    S3EventStore store = store(Map.of("EVENT_STORE_SEQUENCE_ALLOCATOR_MODE", mode));

    store.append(event("{}"));

    assertThat(store.append(event("{}")).event().sequence()).isEqualTo(2);
    assertThat(handlers("spice_event_registry")).isEmpty();
  }

  @Test
  void requireTheSequenceOfTheCaller() {
    S3EventStore store = store(Map.of("EVENT_STORE_SEQUENCE_ALLOCATOR_MODE", "off"));

    assertThatThrownBy(() -> store.append(event("{}"))).hasMessageContaining("AppendCondition.at");
    assertThat(store.append(event("{}"), AppendCondition.at(7)).event().sequence()).isEqualTo(7);
  }

  @Test
  void chooseSchemaAndPrefixOfReservations() {
    EventsSchema.named("other_log").apply(database.dataSource());

    store(
            Map.of(
                "EVENT_STORE_SEQUENCE_SCHEMA",
                "other_log",
                "EVENT_STORE_SEQUENCE_HANDLER_PREFIX",
                "orders"))
        .append(event("{}"));

    assertThat(handlers("other_log")).containsExactly("orders:order");
    assertThat(handlers("spice_event_registry")).isEmpty();
  }

  @Test
  void chooseWhatHappensToAUsedId() {
    EventData first = event("{}");
    EventData second = EventData.of(first.id(), aggregate, first.type(), "{\"n\":2}");
    store(Map.of()).append(first);

    assertThatThrownBy(() -> store(Map.of()).append(second))
        .isInstanceOf(EventMismatchException.class);
    assertThat(
            store(Map.of("EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE", "warn"))
                .append(second)
                .duplicate())
        .isTrue();
  }

  private S3EventStore store(Map<String, String> environment) {
    return S3EventStore.builder(s3.client(), TestS3.BUCKET)
        .prefix(prefix)
        .database(database.dataSource())
        .settings(EventStoreSettings.of(environment))
        .build();
  }

  private List<String> handlers(String schema) {
    return database.query(
        "SELECT handler FROM %s.aggregate_version WHERE aggregate = '%s'"
            .formatted(schema, aggregate.key()));
  }

  private EventData event(String json) {
    return EventData.of(UUID.randomUUID().toString(), aggregate, "order.changed", json);
  }
}
