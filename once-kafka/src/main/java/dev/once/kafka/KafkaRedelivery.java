package dev.once.kafka;

import dev.once.events.Event;
import dev.once.events.PublishException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Publishes events again that a relay has published, for consumers that are to handle them once
 * more. It has no transactions: with the id of the relay's transactions it would make the broker
 * refuse the relay, and consumers ignore what comes twice.
 */
public final class KafkaRedelivery implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final KafkaProducer<String, byte[]> producer;
  private final Function<Event, String> topics;

  /**
   * Creates a producer.
   *
   * @param config the producer's settings, such as {@code bootstrap.servers}
   * @param topics the topic of each event, as the relay has it
   */
  public KafkaRedelivery(Map<String, Object> config, Function<Event, String> topics) {
    Map<String, Object> fixed = new HashMap<>(config);
    fixed.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    fixed.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    fixed.put(ProducerConfig.ACKS_CONFIG, "all");
    this.producer = new KafkaProducer<>(fixed, new StringSerializer(), new ByteArraySerializer());
    this.topics = topics;
  }

  /**
   * Publishes events in their order and returns when the broker has stored them all.
   *
   * @throws PublishException if some may not be stored
   */
  public void publish(List<Event> events, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      List<Future<RecordMetadata>> sent = new ArrayList<>(events.size());
      for (Event event : events) {
        sent.add(producer.send(EventRecords.write(topics.apply(event), event)));
      }
      for (Future<RecordMetadata> it : sent) {
        it.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      }
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw new PublishException(
          "Kafka did not confirm %d events: %s".formatted(events.size(), reason(e)), e);
    }
  }

  private static String reason(Exception failure) {
    Throwable cause = failure instanceof ExecutionException ? failure.getCause() : failure;
    return cause == null || cause.getMessage() == null ? "it took too long" : cause.getMessage();
  }

  @Override
  public void close() {
    producer.close(CLOSE_TIMEOUT);
  }
}
