package dev.once.events.internal;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventKind;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

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

  /** About the size of an envelope without its data. */
  private static final int ENVELOPE_BYTES = 512;

  private EventJson() {}

  /** Writes an event. */
  public static byte[] write(Event event) {
    if (event.content().isJson()) {
      try {
        return write(event, EventJson::writeJson);
      } catch (JacksonException e) {
        // It claims to be JSON but is not, or is too deep for an envelope: kept as bytes.
      }
    }
    return write(event, (out, content) -> out.writeBinaryProperty("data_base64", content.data()));
  }

  /** Writes the data of an event. */
  private interface DataWriter {
    void write(JsonGenerator out, EventData content);
  }

  private static byte[] write(Event event, DataWriter data) {
    EventData content = event.content();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(content.data().length + ENVELOPE_BYTES);
    try (JsonGenerator out = MAPPER.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeStringProperty("event_id", content.id());
      out.writeStringProperty("aggregate_type", content.aggregate().type());
      out.writeStringProperty("aggregate_id", content.aggregate().id());
      out.writeNumberProperty("sequence_number", event.sequence());
      out.writeStringProperty("occurred_at", event.time().toString());
      out.writeStringProperty("type", content.type());
      out.writeStringProperty("source", content.source());
      out.writeObjectPropertyStart("metadata");
      content.metadata().forEach((name, value) -> writeMetadata(out, name, value));
      out.writeStringProperty(KIND, content.kind().name().toLowerCase(Locale.ROOT));
      out.writeEndObject();
      out.writeStringProperty("data_content_type", content.contentType());
      data.write(out, content);
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }

  private static void writeMetadata(JsonGenerator out, String name, String value) {
    if (!name.equals(KIND)) { // Which is the event's own.
      out.writeStringProperty(name, value);
    }
  }

  /** Copies data token by token: building a tree of it takes most of the time of a relay. */
  private static void writeJson(JsonGenerator out, EventData content) {
    out.writeName("data");
    try (JsonParser in = MAPPER.createParser(content.data())) {
      if (in.nextToken() == null) {
        throw new StreamReadException(in, "the data is empty");
      }
      out.copyCurrentStructureExact(in);
      if (in.nextToken() != null) {
        throw new StreamReadException(in, "something follows the data");
      }
    }
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
