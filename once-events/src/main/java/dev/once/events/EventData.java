package dev.once.events;

import dev.once.Fingerprint;
import dev.once.internal.Limits;
import dev.once.json.FingerprintParts;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an application says in an event. Immutable; change what differs from the default: {@code
 * EventData.of(id, order, "order.placed", json).withKind(EventKind.COMMAND)}.
 */
public final class EventData {
  public static final int MAX_ID_CHARS = 255;
  public static final int MAX_TYPE_CHARS = 255;
  public static final int MAX_DATA_BYTES = 1 << 20;
  public static final int MAX_METADATA = 64;
  public static final int MAX_METADATA_CHARS = 16 * 1024;

  private static final String JSON = "application/json";
  private static final String SOURCE = "/once";

  private final String id;
  private final Aggregate aggregate;
  private final EventKind kind;
  private final String type;
  private final String source;
  private final String contentType;
  private final byte[] data;
  private final Map<String, String> metadata;

  private EventData(
      String id,
      Aggregate aggregate,
      EventKind kind,
      String type,
      String source,
      String contentType,
      byte[] data,
      Map<String, String> metadata) {
    this.id = id;
    this.aggregate = aggregate;
    this.kind = kind;
    this.type = type;
    this.source = source;
    this.contentType = contentType;
    this.data = data;
    this.metadata = metadata;
  }

  /**
   * Returns an event with JSON data.
   *
   * @param id names the event; the same on every retry, and never used for another event
   * @param type what it is about, such as {@code order.placed}
   * @param data shared, not copied: do not change it
   */
  public static EventData of(String id, Aggregate aggregate, String type, byte[] data) {
    Limits.text("event id", id, 1, MAX_ID_CHARS);
    Limits.text("event type", type, 1, MAX_TYPE_CHARS);
    return new EventData(id, aggregate, EventKind.EVENT, type, SOURCE, JSON, check(data), Map.of());
  }

  /** Returns an event whose data is JSON text. */
  public static EventData of(String id, Aggregate aggregate, String type, String json) {
    return of(id, aggregate, type, json.getBytes(StandardCharsets.UTF_8));
  }

  /** Sets whether this is a command; an event by default. */
  public EventData withKind(EventKind kind) {
    return new EventData(id, aggregate, kind, type, source, contentType, data, metadata);
  }

  /** Sets the CloudEvents source, a URI reference that names the producer. */
  public EventData withSource(String source) {
    Limits.text("event source", source, 1, MAX_TYPE_CHARS);
    return new EventData(id, aggregate, kind, type, source, contentType, data, metadata);
  }

  /** Sets data of another media type. The bytes are shared, not copied: do not change them. */
  public EventData withData(String contentType, byte[] data) {
    Limits.text("content type", contentType, 1, MAX_TYPE_CHARS);
    return new EventData(id, aggregate, kind, type, source, contentType, check(data), metadata);
  }

  /** Sets names and values that travel with the event, such as correlation ids. */
  public EventData withMetadata(Map<String, String> metadata) {
    Limits.range("number of metadata", metadata.size(), 0, MAX_METADATA);
    int chars = 0;
    for (Map.Entry<String, String> entry : metadata.entrySet()) {
      Limits.text("name of metadata", entry.getKey(), 1, MAX_TYPE_CHARS);
      Limits.text("metadata " + entry.getKey(), entry.getValue(), 0, MAX_METADATA_CHARS);
      chars += entry.getKey().length() + entry.getValue().length();
    }
    Limits.range("characters in metadata", chars, 0, MAX_METADATA_CHARS);
    return new EventData(
        id,
        aggregate,
        kind,
        type,
        source,
        contentType,
        data,
        Collections.unmodifiableMap(new TreeMap<>(metadata)));
  }

  public String id() {
    return id;
  }

  public Aggregate aggregate() {
    return aggregate;
  }

  public EventKind kind() {
    return kind;
  }

  public String type() {
    return type;
  }

  public String source() {
    return source;
  }

  public String contentType() {
    return contentType;
  }

  /** Returns the data, shared, not copied: do not change it. */
  public byte[] data() {
    return data;
  }

  /** Returns whether the data claims to be JSON. */
  public boolean isJson() {
    String media = contentType.split(";", 2)[0].strip();
    return media.equals(JSON) || media.endsWith("+json");
  }

  public Map<String, String> metadata() {
    return metadata;
  }

  /**
   * Returns the digest of what the event says: aggregate, kind, type and data. Source and metadata
   * are not in it, because correlation ids differ between retries. JSON is compared as a document,
   * other data byte by byte.
   */
  public Fingerprint fingerprint() {
    FingerprintParts parts = start();
    if (isJson()) {
      try {
        return parts.json(data).finish();
      } catch (JsonRefusedException e) {
        parts = start(); // It claims to be JSON but is not: compared as bytes.
      }
    }
    return parts.text(contentType).bytes(data).finish();
  }

  private FingerprintParts start() {
    return Fingerprinter.sha256()
        .start()
        .text(aggregate.type())
        .text(aggregate.id())
        .text(kind.name())
        .text(type);
  }

  private static byte[] check(byte[] data) {
    if (data.length > MAX_DATA_BYTES) {
      throw new IllegalArgumentException(
          "data must have at most %d bytes, got %d: keep it elsewhere and append its name"
              .formatted(MAX_DATA_BYTES, data.length));
    }
    return data;
  }

  /** Shows what identifies the event, and no data. */
  @Override
  public String toString() {
    return type + " " + id + " of " + aggregate;
  }
}
