package dev.once.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Aggregate;
import dev.once.events.ConsumerEvent;
import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventData;
import dev.once.events.EventDatabase;
import dev.once.events.EventRetryPolicy;
import dev.once.events.ProcessedEvent;
import dev.once.events.ProcessedEvents;
import dev.once.events.ProcessedState;
import dev.once.events.Settlement;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer stands still for longer than its group waits, and another one gets its partition. */
@Timeout(120)
class LostPartitionsTest {
  /** The group waits for it this long, and it stands still for longer. */
  private static final int POLL_MILLIS = 1500;

  private static final int STANDSTILL_MILLIS = 4000;

  /** Kafka gives the first partition to the first of these names. */
  private static final String LOST = "z-lost";

  private static final String NEXT = "a-next";

  private final String name = UUID.randomUUID().toString();
  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final List<Settlement> settled = new CopyOnWriteArrayList<>();
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @Test
  void settlesNothingTwiceAndTakesNoOffsetBack() throws Exception {
    try (TestKafka kafka = new TestKafka();
        EventDatabase database = new EventDatabase("kafka_lost");
        Admin admin = Admin.create(kafka.client());
        DeadLetterTopic silent = new DeadLetterTopic(silent(), name + "-dead");
        DeadLetterTopic letters = new DeadLetterTopic(kafka.client(), name + "-dead")) {
      admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
      send(kafka, event(1), event(2), event(3));
      KafkaEventSource lost = source(kafka, LOST, consumer(database, silent, LOST), silent);
      started.await(); // Two events are claimed with the running one.
      send(kafka, new ProducerRecord<>(name, "no event".getBytes(UTF_8)), event(4));
      try (KafkaEventSource next =
          source(kafka, NEXT, consumer(database, letters, NEXT), letters)) {
        await(() -> hasLostPartitions(LOST));
        mayEnd.countDown();
        await(() -> committed(admin) == 5);
        assertThat(next.failure()).isEmpty();
      }
      lost.close(); // Which commits what it takes for settled.

      assertThat(lost.failure()).isEmpty();
      assertThat(committed(admin)).isEqualTo(5);
      for (int sequence = 1; sequence <= 4; sequence++) {
        ProcessedEvent processed =
            registry(database).find(name, name + "-" + sequence).orElseThrow();
        assertThat(processed.state()).isEqualTo(ProcessedState.DONE);
        assertThat(processed.attempts()).isEqualTo(1);
      }
    }
    // The first three were claimed together, before the partition was lost.
    assertThat(effects)
        .containsExactly("1 by " + LOST, "2 by " + LOST, "3 by " + LOST, "4 by " + NEXT);
    assertThat(settled)
        .filteredOn(Settlement.Handled.class::isInstance)
        .extracting(it -> it.event().sequence())
        .contains(4L)
        .doesNotHaveDuplicates();
  }

  /** A topic of dead letters that keeps the thread of a source waiting. */
  private static Map<String, Object> silent() {
    return Map.of("bootstrap.servers", "127.0.0.1:1", "max.block.ms", STANDSTILL_MILLIS);
  }

  private KafkaEventSource source(
      TestKafka kafka, String client, EventConsumer events, DeadLetterTopic letters) {
    Map<String, Object> config = new HashMap<>(kafka.client());
    config.put("client.id", client);
    config.put("max.poll.interval.ms", POLL_MILLIS);
    config.put("heartbeat.interval.ms", 100);
    return new KafkaEventSource(name, config, List.of(name), events, letters).start();
  }

  private EventConsumer consumer(EventDatabase database, DeadLetterTopic letters, String client) {
    return EventConsumer.named(name)
        .registry(registry(database))
        .retries(EventRetryPolicy.deadLetter(letters))
        .listener(
            it -> {
              if (it instanceof ConsumerEvent.Settled event) {
                settled.add(event.settlement());
              }
            })
        .start(
            (event, execution) -> {
              if (event.sequence() == 1) {
                started.countDown();
                mayEnd.await();
              }
              effects.add(event.sequence() + " by " + client);
            });
  }

  private static ProcessedEvents registry(EventDatabase database) {
    return ProcessedEvents.builder(database.dataSource())
        .lease(Duration.ofSeconds(30))
        .heartbeat(Duration.ofSeconds(1))
        .build();
  }

  private ProducerRecord<byte[], byte[]> event(long sequence) {
    EventData content =
        EventData.of(name + "-" + sequence, new Aggregate("order", "a"), "order.changed", "{}");
    var record = EventRecords.write(name, new Event(content, sequence, Instant.now()));
    return new ProducerRecord<>(
        name, null, record.key().getBytes(UTF_8), record.value(), record.headers());
  }

  @SafeVarargs
  private static void send(TestKafka kafka, ProducerRecord<byte[], byte[]>... records)
      throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (ProducerRecord<byte[], byte[]> record : records) {
        producer.send(record).get();
      }
    }
  }

  private long committed(Admin admin) {
    try {
      OffsetAndMetadata offset =
          admin
              .listConsumerGroupOffsets(name)
              .partitionsToOffsetAndMetadata()
              .get()
              .get(new TopicPartition(name, 0));
      return offset == null ? 0 : offset.offset();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether a consumer was told that it has lost partitions. */
  private static boolean hasLostPartitions(String client) {
    try {
      ObjectName metrics =
          new ObjectName("kafka.consumer:type=consumer-coordinator-metrics,client-id=" + client);
      return ManagementFactory.getPlatformMBeanServer()
                  .getAttribute(metrics, "partition-lost-latency-max")
              instanceof Double latency
          && !latency.isNaN();
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("within 60 s").isLessThan(deadline);
      LockSupport.parkNanos(20_000_000);
    }
  }
}
