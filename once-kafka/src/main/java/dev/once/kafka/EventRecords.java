package dev.once.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.internal.EventJson;
import java.util.Locale;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * Writes events as records of Kafka. The value is the envelope, the key is the aggregate's, so that
 * its events are in one partition, and the headers are the attributes of CloudEvents.
 */
final class EventRecords {
  private EventRecords() {}

  static ProducerRecord<String, byte[]> write(String topic, Event event) {
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(topic, event.aggregate().key(), EventJson.write(event));
    EventData content = event.content();
    Headers headers = record.headers();
    add(headers, "ce_specversion", "1.0");
    add(headers, "ce_id", content.id());
    add(headers, "ce_source", content.source());
    add(headers, "ce_type", content.type());
    add(headers, "ce_subject", content.aggregate().id());
    add(headers, "ce_time", event.time().toString());
    add(headers, "ce_sequence", String.valueOf(event.sequence()));
    add(headers, "ce_aggregatetype", content.aggregate().type());
    add(headers, "ce_kind", content.kind().name().toLowerCase(Locale.ROOT));
    add(headers, "content-type", "application/json");
    return record;
  }

  private static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(UTF_8));
  }
}
