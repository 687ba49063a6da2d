package dev.once.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.events.Event;
import dev.once.events.ReceivedEvent;
import dev.once.events.internal.CloudEventAttributes;
import dev.once.events.internal.CloudEventReader;
import dev.once.events.internal.EventJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Events as records of Kafka. As Once writes them, the key is the aggregate's, so that its events
 * are in one partition, the value is Once's envelope, and the headers are the attributes of
 * CloudEvents: in terms of its binary mode, the envelope is the data.
 *
 * <p>Three kinds of records are read, and their content type tells which one a record is, because
 * the values can look alike:
 *
 * <ul>
 *   <li>{@value #ENVELOPE}: Once's envelope; also any record without {@code ce_specversion}.
 *   <li>{@value CloudEventReader#CONTENT_TYPE}: a CloudEvent in structured mode.
 *   <li>Any other content type beside {@code ce_specversion}, or none: a CloudEvent in binary mode.
 *       Its value is its data, also if that has the members of an envelope.
 * </ul>
 */
final class EventRecords {
  static final String ENVELOPE = "application/vnd.once.event+json";

  private static final String CONTENT_TYPE = "content-type";
  private static final String PREFIX = "ce_";
  private static final String CLOUD_EVENTS = "application/cloudevents";

  private EventRecords() {}

  static ProducerRecord<String, byte[]> write(String topic, Event event) {
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(topic, event.aggregate().key(), EventJson.write(event));
    CloudEventAttributes.of(event)
        .forEach((name, value) -> record.headers().add(PREFIX + name, value.getBytes(UTF_8)));
    record.headers().add(CONTENT_TYPE, ENVELOPE.getBytes(UTF_8));
    return record;
  }

  /**
   * Reads the event of a record.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  static Event read(ConsumerRecord<byte[], byte[]> record) {
    Optional<String> contentType = header(record, CONTENT_TYPE);
    String media = contentType.map(EventRecords::mediaOf).orElse("");
    boolean hasAttributes = record.headers().lastHeader(PREFIX + "specversion") != null;
    if (hasAttributes && !media.equals(ENVELOPE) && !media.startsWith(CLOUD_EVENTS)) {
      byte[] data = record.value() == null ? new byte[0] : record.value();
      return CloudEventReader.read(
          attributes(record), contentType, data, Instant.ofEpochMilli(record.timestamp()));
    }
    if (record.value() == null) {
      throw new IllegalArgumentException("the record has no value");
    }
    if (media.equals(CloudEventReader.CONTENT_TYPE)) {
      return CloudEventReader.readJson(record.value(), Instant.ofEpochMilli(record.timestamp()));
    }
    if (media.startsWith(CLOUD_EVENTS)) {
      throw new IllegalArgumentException(
          "a CloudEvent in structured mode must be "
              + CloudEventReader.CONTENT_TYPE
              + ", got "
              + media);
    }
    return EventJson.read(record.value());
  }

  /**
   * Returns the headers of a record that {@link #write} does not make from its event. They are
   * copies: those of a record keep all records in memory that were received with it.
   */
  static List<ReceivedEvent.Header> otherHeaders(ConsumerRecord<byte[], byte[]> record) {
    boolean isEnvelope =
        header(record, CONTENT_TYPE).filter(it -> mediaOf(it).equals(ENVELOPE)).isPresent();
    List<ReceivedEvent.Header> others = new ArrayList<>();
    for (Header header : record.headers()) {
      boolean isOfEvent =
          header.key().equals(CONTENT_TYPE) || (isEnvelope && header.key().startsWith(PREFIX));
      if (!isOfEvent) {
        others.add(new ReceivedEvent.Header(header.key(), header.value()));
      }
    }
    return others;
  }

  private static Map<String, String> attributes(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> attributes = new TreeMap<>();
    for (Header header : record.headers()) {
      if (header.key().startsWith(PREFIX) && header.value() != null) {
        attributes.put(header.key().substring(PREFIX.length()), new String(header.value(), UTF_8));
      }
    }
    return attributes;
  }

  private static Optional<String> header(ConsumerRecord<byte[], byte[]> record, String name) {
    return Optional.ofNullable(record.headers().lastHeader(name))
        .filter(it -> it.value() != null)
        .map(it -> new String(it.value(), UTF_8));
  }

  /** Returns a media type without its parameters. */
  private static String mediaOf(String contentType) {
    return contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }
}
