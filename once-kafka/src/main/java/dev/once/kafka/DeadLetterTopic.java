package dev.once.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.events.DeadLetterSink;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A topic for events that a handler gave up, and for records that are no events. A record that is
 * no event keeps its key, value and headers; an event is written as {@link KafkaEventPublisher}
 * writes it, with the other headers of the record that it came in. Each says in headers which
 * handler gave it up and why. Thread-safe.
 */
public final class DeadLetterTopic implements DeadLetterSink, AutoCloseable {
  private static final int MAX_REASON_CHARS = 1000;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;

  /**
   * Creates a producer of dead letters.
   *
   * @param config the producer's settings, such as {@code bootstrap.servers}
   */
  public DeadLetterTopic(Map<String, Object> config, String topic) {
    Map<String, Object> fixed = new HashMap<>();
    fixed.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, KafkaEventPublisher.MAX_REQUEST_BYTES);
    fixed.putAll(config);
    fixed.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    fixed.put(ProducerConfig.ACKS_CONFIG, "all");
    this.producer =
        new KafkaProducer<>(fixed, new ByteArraySerializer(), new ByteArraySerializer());
    this.topic = topic;
  }

  @Override
  public void accept(DeadLetter letter)
      throws InterruptedException, ExecutionException, TimeoutException {
    ProducerRecord<String, byte[]> event = EventRecords.write(topic, letter.event());
    Headers headers = event.headers();
    Set<String> written = new HashSet<>();
    headers.forEach(it -> written.add(it.key()));
    letter.headers().stream()
        .filter(it -> !written.contains(it.name()))
        .forEach(it -> headers.add(it.name(), it.value()));
    describe(headers, letter.handler(), letter.reason());
    headers.add("once_attempts", text(String.valueOf(letter.attempts())));
    send(new ProducerRecord<>(topic, null, event.key().getBytes(UTF_8), event.value(), headers));
  }

  /** Keeps a record that is no event. */
  void accept(String handler, ConsumerRecord<byte[], byte[]> record, String reason)
      throws InterruptedException, ExecutionException, TimeoutException {
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>(topic, null, record.key(), record.value(), record.headers());
    Headers headers = letter.headers();
    describe(headers, handler, reason);
    headers.add("once_topic", text(record.topic()));
    headers.add("once_partition", text(String.valueOf(record.partition())));
    headers.add("once_offset", text(String.valueOf(record.offset())));
    send(letter);
  }

  /** Sends a letter; one that is too large for the topic without its value, so that none blocks. */
  private void send(ProducerRecord<byte[], byte[]> letter)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      await(letter);
    } catch (ExecutionException e) {
      if (letter.value() == null || !(e.getCause() instanceof RecordTooLargeException)) {
        throw e;
      }
      Headers headers =
          new RecordHeaders(letter.headers()); // Those of a sent record are read-only.
      headers.add("once_dropped_bytes", text(String.valueOf(letter.value().length)));
      await(new ProducerRecord<>(topic, null, letter.key(), null, headers));
    }
  }

  private void await(ProducerRecord<byte[], byte[]> letter)
      throws InterruptedException, ExecutionException, TimeoutException {
    producer.send(letter).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void describe(Headers headers, String handler, String reason) {
    headers.add("once_handler", text(handler));
    headers.add(
        "once_reason",
        text(reason.length() > MAX_REASON_CHARS ? reason.substring(0, MAX_REASON_CHARS) : reason));
  }

  private static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }

  @Override
  public void close() {
    producer.close(TIMEOUT);
  }
}
