package dev.once.kafka;

import dev.once.events.Event;
import dev.once.events.EventPublisher;
import dev.once.events.PublishException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes events to Kafka, each batch in one transaction. A consumer with {@code
 * isolation.level=read_committed} sees all of a batch or nothing of it, so that a batch which is
 * published again after a failure does not change the order of an aggregate's events. The
 * transaction's id makes the broker refuse an earlier process of the same relay. For one relay.
 */
public final class KafkaEventPublisher implements EventPublisher, AutoCloseable {
  /** The largest event, in Base64 and with its metadata, fits in; Kafka's default is smaller. */
  static final int MAX_REQUEST_BYTES = 4 << 20;

  /**
   * A relay publishes many events at once. Batches of Kafka's default, 16 KiB, cost broker and
   * consumers a third of the throughput.
   */
  private static final int BATCH_BYTES = 128 << 10;

  private final Map<String, Object> config;
  private final Function<Event, String> topics;
  private final Duration timeout;
  private @Nullable KafkaProducer<String, byte[]> producer;

  /**
   * Creates a publisher.
   *
   * @param relay the name of the relay, the same in all its processes
   * @param config the producer's settings, such as {@code bootstrap.servers}; those that keep
   *     events from being lost or reordered are fixed
   * @param topics the topic of each event
   */
  public KafkaEventPublisher(
      String relay, Map<String, Object> config, Function<Event, String> topics) {
    Map<String, Object> fixed = new HashMap<>();
    fixed.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
    fixed.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    fixed.putAll(config);
    fixed.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "once-relay-" + relay);
    fixed.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    fixed.put(ProducerConfig.ACKS_CONFIG, "all");
    fixed.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    fixed.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    this.config = Map.copyOf(fixed);
    this.topics = topics;
    this.timeout = Duration.ofSeconds(10);
  }

  /** Opens a producer; the broker refuses the producers of earlier calls from now on. */
  @Override
  public synchronized void takeOver() {
    close();
    KafkaProducer<String, byte[]> opened = new KafkaProducer<>(config);
    try {
      opened.initTransactions();
    } catch (KafkaException e) {
      opened.close(Duration.ZERO);
      throw new PublishException("Kafka does not answer: " + e.getMessage(), e);
    }
    producer = opened;
  }

  @Override
  public synchronized void publish(List<Event> events, Duration limit) throws InterruptedException {
    KafkaProducer<String, byte[]> open = producer;
    if (open == null) {
      throw new IllegalStateException("the publisher has not taken over: call takeOver first");
    }
    long deadline = System.nanoTime() + limit.toNanos();
    // The producer has a time limit for a record and one for a commit, but none for a batch.
    CompletableFuture<Void> expiry =
        CompletableFuture.runAsync(
            () -> open.close(Duration.ZERO),
            CompletableFuture.delayedExecutor(limit.toNanos(), TimeUnit.NANOSECONDS));
    try {
      open.beginTransaction();
      List<Future<RecordMetadata>> sent = new ArrayList<>(events.size());
      for (Event event : events) {
        sent.add(open.send(EventRecords.write(topics.apply(event), event)));
      }
      open.flush();
      for (int i = 0; i < sent.size(); i++) {
        requireStored(sent.get(i), events.get(i));
      }
      open.commitTransaction();
    } catch (ExecutionException | KafkaException | IllegalStateException e) {
      discard(); // Ends the transaction, also if it is unknown whether its commit arrived.
      String when = System.nanoTime() - deadline < 0 ? "" : " within " + limit;
      throw new PublishException(
          "Kafka did not confirm %d events%s".formatted(events.size(), when), e);
    } finally {
      expiry.cancel(false);
    }
  }

  private void requireStored(Future<RecordMetadata> sent, Event event)
      throws InterruptedException, ExecutionException {
    try {
      sent.get(); // After a flush it does not wait.
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RecordTooLargeException) {
        discard();
        throw new PublishException(
            "event %s is too large for topic %s, and those after it wait: raise the topic's max.message.bytes, or the producer's max.request.size"
                .formatted(event.id(), topics.apply(event)),
            e);
      }
      throw e;
    }
  }

  /** The next producer's {@code initTransactions} aborts what this one has left open. */
  private void discard() {
    KafkaProducer<String, byte[]> open = producer;
    if (open != null) {
      open.close(Duration.ZERO);
      producer = null;
    }
  }

  @Override
  public synchronized void close() {
    KafkaProducer<String, byte[]> open = producer;
    if (open != null) {
      open.close(timeout);
      producer = null;
    }
  }
}
