package dev.once.events.internal;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventKind;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The envelope in which events are stored as objects and sent to brokers. JSON data is a member of
 * it, with its numbers as they are; other data is encoded in Base64.
 */
public final class EventJson {
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private static final String KIND = "kind";

  private EventJson() {}

  /** Writes an event. */
  public static byte[] write(Event event) {
    EventData content = event.content();
    ObjectNode envelope = MAPPER.createObjectNode();
    envelope.put("event_id", content.id());
    envelope.put("aggregate_type", content.aggregate().type());
    envelope.put("aggregate_id", content.aggregate().id());
    envelope.put("sequence_number", event.sequence());
    envelope.put("occurred_at", event.time().toString());
    envelope.put("type", content.type());
    envelope.put("source", content.source());
    ObjectNode metadata = envelope.putObject("metadata");
    content.metadata().forEach(metadata::put);
    metadata.put(KIND, content.kind().name().toLowerCase(Locale.ROOT));
    envelope.put("data_content_type", content.contentType());
    writeData(envelope, content);
    return MAPPER.writeValueAsBytes(envelope);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is not such an envelope
   */
  public static Event read(byte[] json) {
    try {
      return read(MAPPER.readTree(json));
    } catch (JacksonException | DateTimeParseException e) {
      throw new IllegalArgumentException("envelope of an event cannot be read", e);
    }
  }

  private static Event read(JsonNode envelope) {
    Map<String, String> metadata = new LinkedHashMap<>(texts(member(envelope, "metadata")));
    String kind = metadata.remove(KIND);
    if (kind == null) {
      throw new IllegalArgumentException("envelope of an event lacks metadata.kind");
    }
    EventData content =
        EventData.of(
                text(envelope, "event_id"),
                new Aggregate(text(envelope, "aggregate_type"), text(envelope, "aggregate_id")),
                text(envelope, "type"),
                new byte[0])
            .withData(text(envelope, "data_content_type"), data(envelope))
            .withKind(EventKind.valueOf(kind.toUpperCase(Locale.ROOT)))
            .withSource(text(envelope, "source"))
            .withMetadata(metadata);
    JsonNode sequence = member(envelope, "sequence_number");
    if (!sequence.isIntegralNumber() || !sequence.canConvertToLong()) {
      throw new IllegalArgumentException("envelope of an event has no valid sequence_number");
    }
    return new Event(content, sequence.longValue(), Instant.parse(text(envelope, "occurred_at")));
  }

  /** Writes data as CloudEvents does too: JSON as it is, all else in Base64. */
  private static void writeData(ObjectNode envelope, EventData content) {
    if (content.isJson()) {
      try {
        envelope.set("data", MAPPER.readTree(content.data()));
        return;
      } catch (JacksonException e) {
        // It claims to be JSON but is not: kept as bytes.
      }
    }
    envelope.put("data_base64", content.data());
  }

  private static byte[] data(JsonNode envelope) {
    JsonNode binary = envelope.get("data_base64");
    return binary == null
        ? MAPPER.writeValueAsBytes(member(envelope, "data"))
        : binary.binaryValue();
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.properties().forEach(it -> texts.put(it.getKey(), it.getValue().stringValue()));
    return texts;
  }

  private static String text(JsonNode envelope, String name) {
    JsonNode member = member(envelope, name);
    if (!member.isString()) {
      throw new IllegalArgumentException("envelope of an event has no text in " + name);
    }
    return member.stringValue();
  }

  private static JsonNode member(JsonNode envelope, String name) {
    JsonNode member = envelope.get(name);
    if (member == null) {
      throw new IllegalArgumentException("envelope of an event lacks " + name);
    }
    return member;
  }
}
