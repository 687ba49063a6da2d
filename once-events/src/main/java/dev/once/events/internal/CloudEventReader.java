package dev.once.events.internal;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventKind;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads events from the attributes of CloudEvents 1.0. The aggregate is {@code aggregatetype} (an
 * extension) and {@code subject}; the extensions {@code sequence}, a decimal number, and {@code
 * kind} ({@code event} unless given) are its sequence and kind. All other attributes become
 * metadata.
 */
public final class CloudEventReader {
  /** The content type of a CloudEvent in JSON, its structured mode. */
  public static final String CONTENT_TYPE = "application/cloudevents+json";

  private static final String JSON = "application/json";
  private static final String BINARY = "application/octet-stream";

  private final Map<String, String> attributes;

  private CloudEventReader(Map<String, String> attributes) {
    this.attributes = new TreeMap<>(attributes);
  }

  /**
   * Reads a CloudEvent whose attributes are apart from its data.
   *
   * @param contentType of the data
   * @param received its time if it has no attribute {@code time}
   * @throws IllegalArgumentException if an attribute is missing or wrong; the message names it
   */
  public static Event read(
      Map<String, String> attributes, Optional<String> contentType, byte[] data, Instant received) {
    return new CloudEventReader(attributes).event(contentType.orElse(BINARY), data, received);
  }

  /** Reads a CloudEvent in JSON. Otherwise like {@link #read}. */
  public static Event readJson(byte[] json, @Nullable Instant received) {
    try {
      JsonNode envelope = EventJson.MAPPER.readTree(json);
      if (!envelope.isObject()) {
        throw new IllegalArgumentException("a CloudEvent in JSON must be an object");
      }
      CloudEventReader reader = new CloudEventReader(attributes(envelope));
      String contentType = reader.take("datacontenttype").orElse(JSON);
      return reader.event(contentType, data(envelope), received);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("a CloudEvent in JSON cannot be read", e);
    }
  }

  private Event event(String contentType, byte[] data, @Nullable Instant received) {
    String version = require("specversion");
    if (!version.equals("1.0")) {
      throw new IllegalArgumentException("CloudEvents attribute specversion must be 1.0");
    }
    Instant time = time(received);
    long sequence = sequence();
    EventKind kind = kind();
    EventData content =
        EventData.of(
                require("id"),
                new Aggregate(require("aggregatetype"), require("subject")),
                require("type"),
                new byte[0])
            .withData(contentType, data)
            .withKind(kind)
            .withSource(require("source"));
    return new Event(content.withMetadata(attributes), sequence, time);
  }

  private Instant time(@Nullable Instant received) {
    Optional<String> time = take("time");
    if (time.isEmpty() && received != null) {
      return received;
    }
    try {
      return OffsetDateTime.parse(time.orElseThrow(() -> lacks("time"))).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("CloudEvents attribute time must be a timestamp", e);
    }
  }

  private long sequence() {
    try {
      return Long.parseLong(require("sequence"));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "CloudEvents attribute sequence must be a decimal number", e);
    }
  }

  private EventKind kind() {
    String kind = take("kind").orElse("event");
    for (EventKind it : EventKind.values()) {
      if (it.name().toLowerCase(Locale.ROOT).equals(kind)) {
        return it;
      }
    }
    throw new IllegalArgumentException("CloudEvents attribute kind must be event or command");
  }

  private String require(String name) {
    return take(name).orElseThrow(() -> lacks(name));
  }

  private Optional<String> take(String name) {
    return Optional.ofNullable(attributes.remove(name)).filter(it -> !it.isEmpty());
  }

  private static IllegalArgumentException lacks(String name) {
    return new IllegalArgumentException("the CloudEvent lacks attribute " + name);
  }

  private static Map<String, String> attributes(JsonNode envelope) {
    Map<String, String> attributes = new TreeMap<>();
    envelope
        .properties()
        .forEach(
            it -> {
              if (!it.getKey().startsWith("data_") && !it.getKey().equals("data")) {
                attribute(it.getKey(), it.getValue())
                    .ifPresent(v -> attributes.put(it.getKey(), v));
              }
            });
    return attributes;
  }

  /** Attributes are texts, numbers and booleans; null is none. */
  private static Optional<String> attribute(String name, JsonNode value) {
    if (value.isNull()) {
      return Optional.empty();
    }
    if (!value.isString() && !value.isIntegralNumber() && !value.isBoolean()) {
      throw new IllegalArgumentException(
          "CloudEvents attribute " + name + " must be a text, an integer or a boolean");
    }
    return Optional.of(value.asString());
  }

  private static byte[] data(JsonNode envelope) {
    JsonNode binary = envelope.get("data_base64");
    JsonNode data = envelope.get("data");
    if (binary != null) {
      return binary.binaryValue();
    }
    return data == null ? new byte[0] : EventJson.MAPPER.writeValueAsBytes(data);
  }
}
