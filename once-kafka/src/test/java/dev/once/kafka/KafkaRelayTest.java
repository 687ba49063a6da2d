package dev.once.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventDatabase;
import dev.once.events.EventKind;
import dev.once.events.PostgresEventStore;
import dev.once.events.PublishException;
import dev.once.events.Relay;
import dev.once.events.internal.EventJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KafkaRelayTest {
  private static TestKafka kafka;
  private static EventDatabase database;

  private final String topic = "events-" + UUID.randomUUID();

  @BeforeAll
  static void start() {
    kafka = new TestKafka();
    database = new EventDatabase("kafka_relay");
  }

  @AfterAll
  static void stop() {
    database.close();
    kafka.close();
  }

  @Test
  void publishesTheLogInTheOrderOfEachAggregate() {
    PostgresEventStore store = PostgresEventStore.over(database.dataSource());
    for (int i = 0; i < 30; i++) {
      store.append(event("order-" + i % 3));
    }
    List<ConsumerRecord<String, byte[]>> records;
    try (KafkaEventPublisher publisher = publisher("relay");
        Relay relay =
            Relay.builder("relay", store.log(), publisher, database.dataSource()).build().start()) {
      assertThat(relay).isNotNull();
      records = read(30);
    }
    Map<Aggregate, Long> last = new HashMap<>();
    for (ConsumerRecord<String, byte[]> record : records) {
      Event event = EventJson.read(record.value());
      assertThat(event.sequence()).isEqualTo(last.getOrDefault(event.aggregate(), 0L) + 1);
      last.put(event.aggregate(), event.sequence());
    }
    assertThat(last).hasSize(3);
  }

  @Test
  void writesTheEnvelopeAndTheAttributesOfCloudEvents() throws InterruptedException {
    EventData said =
        event("Zoë/1").withKind(EventKind.COMMAND).withMetadata(Map.of("correlation_id", "c-1"));
    Instant time = Instant.parse("2026-01-08T10:00:00Z");
    try (KafkaEventPublisher publisher = publisher("headers")) {
      publisher.takeOver();
      publisher.publish(List.of(new Event(said, 7, time)), Duration.ofSeconds(20));
    }
    ConsumerRecord<String, byte[]> record = read(1).get(0);

    assertThat(record.key()).isEqualTo(said.aggregate().key());
    assertThat(new String(record.value(), StandardCharsets.UTF_8))
        .contains("\"kind\":\"command\"", "\"sequence_number\":7", "\"aggregate_id\":\"Zoë/1\"");
    assertThat(header(record, "ce_id")).isEqualTo(said.id());
    assertThat(header(record, "ce_type")).isEqualTo("order.changed");
    assertThat(header(record, "ce_specversion")).isEqualTo("1.0");
    assertThat(header(record, "ce_time")).isEqualTo("2026-01-08T10:00:00Z");
    assertThat(EventJson.read(record.value()).content().metadata()).isEqualTo(said.metadata());
  }

  @Test
  void refusesAProcessThatWasTakenOver() throws InterruptedException {
    Event event = new Event(event("order"), 1, Instant.now());
    try (KafkaEventPublisher first = publisher("fenced");
        KafkaEventPublisher second = publisher("fenced")) {
      first.takeOver();
      first.publish(List.of(event), Duration.ofSeconds(20));
      second.takeOver();

      assertThatThrownBy(() -> first.publish(List.of(event), Duration.ofSeconds(20)))
          .isInstanceOf(PublishException.class);
      second.publish(List.of(event), Duration.ofSeconds(20));
    }
    assertThat(read(2)).hasSize(2);
  }

  @Test
  void isNotFencedByARedelivery() throws InterruptedException {
    Event event = new Event(event("order"), 1, Instant.now());
    Map<String, Object> config = new HashMap<>(kafka.client());
    config.put("transactional.id", "once-relay-beside"); // From a file that the relay uses too.
    try (KafkaEventPublisher relay = publisher("beside");
        KafkaRedelivery redelivery = new KafkaRedelivery(config, it -> topic)) {
      relay.takeOver();
      relay.publish(List.of(event), Duration.ofSeconds(20));
      redelivery.publish(List.of(event), Duration.ofSeconds(20));
      relay.publish(List.of(event), Duration.ofSeconds(20));
    }

    assertThat(read(3)).allMatch(it -> header(it, "ce_id").equals(event.id()));
  }

  @Test
  void givesABatchUpThatTheBrokerDoesNotConfirmInTime() throws InterruptedException {
    Event event = new Event(event("order"), 1, Instant.now());
    TestKafka lost = new TestKafka();
    try (KafkaEventPublisher publisher =
        new KafkaEventPublisher("lost", lost.client(), it -> topic)) {
      try (lost) {
        publisher.takeOver();
        publisher.publish(List.of(event), Duration.ofSeconds(20));
      }
      long began = System.nanoTime();
      assertThatThrownBy(() -> publisher.publish(List.of(event), Duration.ofSeconds(1)))
          .isInstanceOf(PublishException.class)
          .hasMessage("Kafka did not confirm 1 events within PT1S");

      // The producer itself would try for two minutes, longer than the lease of a relay.
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
    }
  }

  @Test
  void aRedeliveryThatIsNotConfirmedFails() {
    Event event = new Event(event("order"), 1, Instant.now());
    Map<String, Object> config = Map.of("bootstrap.servers", "127.0.0.1:1", "max.block.ms", "200");
    try (KafkaRedelivery redelivery = new KafkaRedelivery(config, it -> topic)) {
      assertThatThrownBy(() -> redelivery.publish(List.of(event), Duration.ofSeconds(5)))
          .isInstanceOf(PublishException.class)
          .hasMessageContaining("did not confirm 1 events");
    }
  }

  private KafkaEventPublisher publisher(String relay) {
    return new KafkaEventPublisher(relay, kafka.client(), event -> topic);
  }

  private static EventData event(String id) {
    return EventData.of(
        UUID.randomUUID().toString(), new Aggregate("order", id), "order.changed", "{}");
  }

  private static String header(ConsumerRecord<String, byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private List<ConsumerRecord<String, byte[]>> read(int count) {
    Map<String, Object> config = new HashMap<>(kafka.client());
    config.put("group.id", UUID.randomUUID().toString());
    config.put("auto.offset.reset", "earliest");
    config.put("isolation.level", "read_committed");
    config.put("metadata.max.age.ms", "500");
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(topic));
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (records.size() < count && System.nanoTime() < deadline) {
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
      }
    }
    assertThat(records).hasSizeGreaterThanOrEqualTo(count);
    return records;
  }
}
