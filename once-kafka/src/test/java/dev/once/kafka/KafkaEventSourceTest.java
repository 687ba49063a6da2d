package dev.once.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Aggregate;
import dev.once.events.ConsumerEvent;
import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventData;
import dev.once.events.EventDatabase;
import dev.once.events.EventEffect;
import dev.once.events.EventRetryPolicy;
import dev.once.events.ProcessedEvents;
import dev.once.events.PublishException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaEventSourceTest {
  private static TestKafka kafka;
  private static EventDatabase database;

  private final String name = UUID.randomUUID().toString();
  private final List<String> effects = Collections.synchronizedList(new ArrayList<>());
  private final List<ConsumerEvent.Unreadable> unreadable = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private KafkaEventPublisher publisher;
  private DeadLetterTopic deadLetters;

  @BeforeAll
  static void start() {
    kafka = new TestKafka();
    database = new EventDatabase("kafka_source");
  }

  @AfterAll
  static void stop() {
    database.close();
    kafka.close();
  }

  @BeforeEach
  void open() {
    publisher = new KafkaEventPublisher(name, kafka.client(), event -> name);
    publisher.takeOver();
    deadLetters = new DeadLetterTopic(kafka.client(), name + "-dead");
    opened.add(publisher);
    opened.add(deadLetters);
  }

  @AfterEach
  void close() throws Exception {
    Collections.reverse(opened);
    for (AutoCloseable it : opened) {
      it.close();
    }
  }

  @Test
  void handlesDuplicatesOnceAndIgnoresWhatIsStale() throws InterruptedException {
    List<Event> events = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      events.add(event("a", i));
    }
    publish(events);
    publish(events.subList(0, 5));
    source(handling());
    await(() -> committed() == 15);

    assertThat(effects)
        .containsExactly("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10");
  }

  @Test
  void convergesWithShuffledDuplicatesInTwoConsumers() throws InterruptedException {
    long seed = new Random().nextLong();
    List<Event> events = new ArrayList<>();
    for (int aggregate = 0; aggregate < 5; aggregate++) {
      for (int i = 1; i <= 6; i++) {
        events.add(event("x" + aggregate + "-", i));
      }
    }
    List<Event> sent = new ArrayList<>(events);
    sent.addAll(events);
    Collections.shuffle(sent, new Random(seed));
    source(handling());
    source(handling());
    publish(sent);
    await(() -> committed() == sent.size());

    Set<String> once = new HashSet<>(effects);
    assertThat(effects).as("seed " + seed).hasSameSizeAs(once);
    for (int aggregate = 0; aggregate < 5; aggregate++) {
      assertThat(effects).as("seed " + seed).contains("x" + aggregate + "-6");
    }
  }

  @Test
  void goesOnWithOtherAggregatesWhileOneIsSlow() throws InterruptedException {
    CountDownLatch slow = new CountDownLatch(1);
    source(
        (event, execution) -> {
          if (event.aggregate().id().equals("slow")) {
            slow.await();
          }
          handling().apply(event, execution);
        });
    publish(List.of(event("slow", 1)));
    publish(List.of(event("quick", 1), event("quick", 2)));
    await(() -> effects.size() == 2);

    assertThat(effects).containsExactly("quick1", "quick2");
    slow.countDown();
    await(() -> committed() == 3);
  }

  @Test
  void continuesAfterACrashWithoutRepeatingWhatIsDone() throws InterruptedException {
    publish(List.of(event("a", 1), event("a", 2)));
    KafkaEventSource first = source(handling());
    await(() -> effects.size() == 2);
    first.close();
    publish(List.of(event("a", 3)));
    source(handling());
    await(() -> committed() == 3);

    assertThat(effects).containsExactly("a1", "a2", "a3");
  }

  @Test
  void putsRecordsThatAreNoEventsIntoTheDeadLetterTopic() throws Exception {
    sendNoEvent("key", "{\"not\":\"an event\"}");
    publish(List.of(event("a", 1)));
    source(handling());
    await(() -> effects.size() == 1 && committed() >= 2);

    ConsumerRecord<byte[], byte[]> letter = letters(1).get(0);
    assertThat(letter.value()).isEqualTo("{\"not\":\"an event\"}".getBytes(UTF_8));
    assertThat(header(letter, "trace")).isEqualTo("t-1");
    assertThat(header(letter, "once_reason")).contains("event");
    assertThat(header(letter, "once_handler")).isEqualTo(name);
    assertThat(header(letter, "once_topic")).isEqualTo(name);
    assertThat(unreadable).hasSize(1);
    assertThat(unreadable.get(0).place()).matches(name + "-\\d@0");
    assertThat(unreadable.get(0).reason()).isEqualTo(header(letter, "once_reason"));
  }

  @Test
  void handlesCloudEventsOfOtherProducersBesideItsOwn() throws Exception {
    send(
        """
        {"specversion":"1.0","id":"%1$s-2","source":"/shop","type":"t","subject":"a","sequence":"2",
         "aggregatetype":"order","data":{"event_id":"no envelope"}}
        """
            .formatted(name),
        Map.of("content-type", "application/cloudevents+json; charset=UTF-8"));
    send("{\"event_id\":\"no envelope\"}", attributes("3"));
    send("", with(attributes("4"), "content-type", "text/plain"));
    publish(List.of(event("a", 5)));
    List<String> contents = Collections.synchronizedList(new ArrayList<>());
    source(
        (event, execution) -> {
          contents.add(event.content().contentType() + new String(event.content().data(), UTF_8));
          handling().apply(event, execution);
        });
    await(() -> committed() == 4);

    assertThat(effects).contains("a5");
    assertThat(contents)
        .contains("application/json{}")
        .containsAnyOf("application/json{\"event_id\":\"no envelope\"}", "text/plain");
    assertThat(letters(0)).isEmpty();
  }

  @Test
  void handlesCloudEventsOfAnAggregateInOrder() throws Exception {
    send("{}", attributes("1"));
    send("{}", attributes("2"));
    send("{}", attributes("2"));
    source(handling());
    await(() -> committed() == 3);

    assertThat(effects).containsExactly("a1", "a2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "source", "type", "subject", "aggregatetype", "sequence"})
  void namesTheAttributeThatACloudEventLacks(String attribute) throws Exception {
    Map<String, String> attributes = new HashMap<>(attributes("1"));
    attributes.remove("ce_" + attribute);
    send("{}", attributes);
    source(handling());
    await(() -> committed() == 1);

    assertThat(header(letters(1).get(0), "once_reason")).contains("lacks attribute " + attribute);
    assertThat(effects).isEmpty();
  }

  @Test
  void receivesMoreThanItsConsumerTakesAtATime() throws InterruptedException {
    List<Event> events = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      events.add(event("a" + i % 3 + "-", i));
    }
    publish(events);
    EventConsumer consumer = consumer(deadLetters).maxPending(7).start(handling());
    KafkaEventSource source = start(consumer, deadLetters);
    opened.add(source);
    await(() -> committed() == 60);

    assertThat(effects).hasSize(60);
    assertThat(source.failure()).isEmpty();
  }

  @Test
  void receivesMoreDataThanItsConsumerTakesAtATime() throws InterruptedException {
    List<Event> events = new ArrayList<>();
    for (int i = 1; i <= 12; i++) {
      Event event = event("a" + i % 3 + "-", i);
      byte[] data = new byte[400_000];
      events.add(new Event(event.content().withData("image/png", data), i, event.time()));
    }
    publish(events);
    EventConsumer consumer =
        consumer(deadLetters).maxPendingBytes(EventData.MAX_DATA_BYTES).start(handling());
    KafkaEventSource source = start(consumer, deadLetters);
    opened.add(source);
    await(() -> committed() == 12);

    assertThat(effects).hasSize(12);
    assertThat(source.failure()).isEmpty();
  }

  @Test
  void publishesAndReceivesTheLargestEvents() throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      NewTopic large =
          new NewTopic(name, 1, (short) 1).configs(Map.of("max.message.bytes", "2097152"));
      admin.createTopics(List.of(large)).all().get();
    }
    byte[] data = new byte[EventData.MAX_DATA_BYTES];
    new Random(1).nextBytes(data);
    EventData content =
        EventData.of(name, new Aggregate("order", "a"), "order.scanned", "{}")
            .withData("image/png", data);
    publish(List.of(new Event(content, 1, Instant.now())));
    source(handling());
    await(() -> committed() == 1);

    assertThat(effects).containsExactly("a1");
  }

  @Test
  void saysWhichSettingRefusesAnEvent() throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      NewTopic small =
          new NewTopic(name, 1, (short) 1).configs(Map.of("max.message.bytes", "2000"));
      admin.createTopics(List.of(small)).all().get();
    }
    EventData content =
        EventData.of(name, new Aggregate("order", "a"), "order.scanned", "{}")
            .withData("text/plain", new byte[5000]);

    assertThatThrownBy(() -> publish(List.of(new Event(content, 1, Instant.now()))))
        .isInstanceOf(PublishException.class)
        .hasMessageContaining("max.message.bytes");
  }

  private Map<String, String> attributes(String sequence) {
    return Map.of(
        "ce_specversion", "1.0",
        "ce_id", name + "-" + sequence,
        "ce_source", "/shop",
        "ce_type", "order.placed",
        "ce_subject", "a",
        "ce_aggregatetype", "order",
        "ce_sequence", sequence,
        "ce_traceparent", "00-1",
        "content-type", "application/json");
  }

  private static Map<String, String> with(Map<String, String> all, String name, String value) {
    Map<String, String> changed = new HashMap<>(all);
    changed.put(name, value);
    return changed;
  }

  /** Sends a record of another producer to the partition of aggregate a. */
  private void send(String value, Map<String, String> headers) throws Exception {
    byte[] key = new Aggregate("order", "a").key().getBytes(UTF_8);
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(name, key, value.getBytes(UTF_8));
    headers.forEach((header, text) -> record.headers().add(header, text.getBytes(UTF_8)));
    send(record);
  }

  private void send(ProducerRecord<byte[], byte[]> record) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(record).get();
    }
  }

  @Test
  void losesNothingWhileTheDeadLetterTopicDoesNotAnswer() throws Exception {
    Event first = event("a", 1);
    sendNoEvent(first.aggregate().key(), "no event");
    publish(List.of(first));
    Map<String, Object> nowhere = Map.of("bootstrap.servers", "127.0.0.1:1", "max.block.ms", 200);
    try (DeadLetterTopic silent = new DeadLetterTopic(nowhere, name + "-dead");
        KafkaEventSource stuck = source(handling(), silent)) {
      publish(List.of(event("a", 2)));
      assertThat(stuck.awaitEnd(Duration.ofSeconds(3))).isFalse();
      assertThat(committed()).isZero();
    }
    source(handling());
    await(() -> committed() == 3);

    assertThat(effects).containsExactly("a1", "a2");
  }

  @Test
  void putsARecordThatIsTooLargeIntoTheDeadLetterTopicWithoutItsValue() throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      NewTopic small =
          new NewTopic(name + "-dead", 1, (short) 1).configs(Map.of("max.message.bytes", "2000"));
      admin.createTopics(List.of(small)).all().get();
    }
    sendNoEvent("key", "x".repeat(5000));
    source(handling());
    await(() -> committed() == 1);

    ConsumerRecord<byte[], byte[]> letter = letters(1).get(0);
    assertThat(letter.value()).isNull();
    assertThat(header(letter, "once_dropped_bytes")).isEqualTo("5000");
  }

  @Test
  void putsAnEventThatFailsAgainAndAgainIntoTheDeadLetterTopic() throws InterruptedException {
    source(
        (event, execution) -> {
          if (event.aggregate().id().equals("poison")) {
            throw new IllegalStateException("cannot be handled");
          }
          handling().apply(event, execution);
        });
    publish(List.of(event("poison", 1), event("a", 1)));
    await(() -> committed() == 2);

    ConsumerRecord<byte[], byte[]> letter = letters(1).get(0);
    assertThat(header(letter, "ce_sequence")).isEqualTo("1");
    assertThat(header(letter, "once_attempts")).isEqualTo("2");
    assertThat(header(letter, "once_reason")).contains("cannot be handled");
    assertThat(effects).containsExactly("a1");
  }

  @Test
  void aDeadLetterHasTheHeadersOfItsRecord() throws Exception {
    source(
        (event, execution) -> {
          throw new IllegalStateException("cannot be handled");
        });
    send("{}", with(attributes("1"), "trace", "t-1"));
    Event own = event("b", 1);
    ProducerRecord<String, byte[]> record = EventRecords.write(name, own);
    record.headers().add("trace", "t-2".getBytes(UTF_8)).add("trace", null);
    send(
        new ProducerRecord<>(
            name, null, record.key().getBytes(UTF_8), record.value(), record.headers()));
    await(() -> committed() == 2);

    List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>(letters(2));
    letters.sort(Comparator.comparing(it -> header(it, "ce_subject")));
    assertThat(header(letters.get(0), "trace")).isEqualTo("t-1");
    assertThat(header(letters.get(0), "ce_traceparent")).isEqualTo("00-1");
    assertThat(letters.get(0).headers().headers("content-type")).hasSize(1);
    assertThat(letters.get(0).headers().headers("ce_id")).hasSize(1);
    assertThat(EventRecords.read(letters.get(0)).id()).isEqualTo(name + "-1");
    assertThat(letters.get(1).headers().headers("trace"))
        .extracting(it -> it.value() == null ? null : new String(it.value(), UTF_8))
        .containsExactly("t-2", null);
    assertThat(EventRecords.read(letters.get(1)).id()).isEqualTo(own.id());
  }

  private void sendNoEvent(String key, String value) throws Exception {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(name, key.getBytes(UTF_8), value.getBytes(UTF_8));
    record.headers().add("trace", "t-1".getBytes(UTF_8));
    send(record);
  }

  private EventEffect handling() {
    return (event, execution) -> effects.add(event.aggregate().id() + event.sequence());
  }

  private KafkaEventSource source(EventEffect effect) {
    KafkaEventSource source = source(effect, deadLetters);
    opened.add(source);
    return source;
  }

  private KafkaEventSource source(EventEffect effect, DeadLetterTopic letters) {
    return start(consumer(letters).start(effect), letters);
  }

  private KafkaEventSource start(EventConsumer events, DeadLetterTopic letters) {
    return new KafkaEventSource(name, kafka.client(), List.of(name), events, letters).start();
  }

  private EventConsumer.Builder consumer(DeadLetterTopic letters) {
    ProcessedEvents registry =
        ProcessedEvents.builder(database.dataSource())
            .lease(Duration.ofSeconds(3))
            .heartbeat(Duration.ofSeconds(1))
            .build();
    return EventConsumer.named(name)
        .registry(registry)
        .listener(
            event -> {
              if (event instanceof ConsumerEvent.Unreadable it) {
                unreadable.add(it);
              }
            })
        .retries(
            EventRetryPolicy.deadLetter(letters)
                .withAttempts(2)
                .withDelays(Duration.ofMillis(10), Duration.ofMillis(20)));
  }

  private void publish(List<Event> events) throws InterruptedException {
    publisher.publish(events, Duration.ofSeconds(20));
  }

  private static Event event(String aggregate, long sequence) {
    EventData content =
        EventData.of(
            aggregate + "-" + sequence + "-" + UUID.randomUUID(),
            new Aggregate("order", aggregate),
            "order.changed",
            "{}");
    return new Event(content, sequence, Instant.now());
  }

  /** Returns how many records of the topic are committed, without the marks of transactions. */
  private long committed() {
    Map<String, Object> config = new HashMap<>(kafka.client());
    config.put("group.id", name);
    config.put("enable.auto.commit", false);
    config.put("isolation.level", "read_committed");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Map<Integer, Long> offsets = new HashMap<>();
      var partitions =
          consumer.partitionsFor(name).stream()
              .map(it -> new TopicPartition(it.topic(), it.partition()))
              .toList();
      consumer
          .committed(Set.copyOf(partitions))
          .forEach(
              (it, offset) -> offsets.put(it.partition(), offset == null ? 0 : offset.offset()));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long count = 0;
      while (ends.entrySet().stream()
          .anyMatch(it -> consumer.position(it.getKey()) < it.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          count += record.offset() < offsets.getOrDefault(record.partition(), 0L) ? 1 : 0;
        }
      }
      return count;
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> letters(int count) {
    Map<String, Object> config = new HashMap<>(kafka.client());
    config.put("group.id", UUID.randomUUID().toString());
    config.put("auto.offset.reset", "earliest");
    List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(name + "-dead"));
      await(
          () -> {
            consumer.poll(Duration.ofMillis(200)).forEach(letters::add);
            return letters.size() >= count;
          });
    }
    return letters;
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("within 60 s").isLessThan(deadline);
      LockSupport.parkNanos(20_000_000);
    }
  }
}
