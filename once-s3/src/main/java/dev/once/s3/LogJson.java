package dev.once.s3;

import dev.once.Fingerprint;
import dev.once.StoreException;
import dev.once.events.Aggregate;
import dev.once.events.Checkpoint;
import dev.once.events.Snapshot;
import dev.once.events.internal.EventJson;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The objects of a log as JSON. Events are written by {@link EventJson}. */
final class LogJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** How a marker begins, and an event does not. */
  private static final byte[] MARKER = "{\"abandoned_by\":".getBytes(StandardCharsets.UTF_8);

  private LogJson() {}

  static byte[] marker(String eventId) {
    return bytes(MAPPER.createObjectNode().put("abandoned_by", eventId));
  }

  /** Reads an object at the place of an event. */
  static PlaceContent content(StoredObject object) {
    byte[] bytes = object.bytes();
    if (bytes.length > MARKER.length
        && Arrays.equals(bytes, 0, MARKER.length, MARKER, 0, MARKER.length)) {
      return new PlaceContent.Abandoned();
    }
    try {
      return new PlaceContent.Written(EventJson.read(bytes));
    } catch (IllegalArgumentException e) {
      throw new StoreException("an object of the log is no event", e);
    }
  }

  /** Writes an index entry, for people: its name says everything that a reader needs. */
  static byte[] indexEntry(String eventId) {
    return bytes(MAPPER.createObjectNode().put("event_id", eventId));
  }

  static byte[] write(EventPointer pointer) {
    Place place = pointer.place();
    return bytes(
        MAPPER
            .createObjectNode()
            .put("event_id", pointer.eventId())
            .put("aggregate", place.aggregate())
            .put("sequence_number", place.sequence())
            .put("occurred_at", place.time().toString())
            .put("fingerprint", pointer.fingerprint().toString()));
  }

  static EventPointer pointer(StoredObject object) {
    return read(
        "a pointer",
        object,
        it ->
            new EventPointer(
                text(it, "event_id"),
                new Place(
                    text(it, "aggregate"),
                    number(it, "sequence_number"),
                    Instant.parse(text(it, "occurred_at"))),
                Fingerprint.parse(text(it, "fingerprint"))));
  }

  static byte[] write(Snapshot snapshot) {
    return bytes(
        MAPPER
            .createObjectNode()
            .put("aggregate_type", snapshot.aggregate().type())
            .put("aggregate_id", snapshot.aggregate().id())
            .put("sequence_number", snapshot.sequence())
            .put("data_base64", snapshot.data()));
  }

  static Snapshot snapshot(StoredObject object) {
    return read(
        "a snapshot",
        object,
        it ->
            Snapshot.of(
                new Aggregate(text(it, "aggregate_type"), text(it, "aggregate_id")),
                number(it, "sequence_number"),
                it.required("data_base64").binaryValue()));
  }

  static byte[] write(Checkpoint checkpoint) {
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("position", checkpoint.position())
            .put("fence", checkpoint.fence());
    checkpoint.recentIds().forEach(json.putArray("recent_ids")::add);
    return bytes(json);
  }

  static Checkpoint checkpoint(StoredObject object) {
    return read(
        "a checkpoint",
        object,
        it ->
            new Checkpoint(
                text(it, "position"),
                number(it, "fence"),
                it.required("recent_ids").valueStream().map(JsonNode::stringValue).toList()));
  }

  private static <T> T read(String what, StoredObject object, Function<JsonNode, T> reader) {
    try {
      return reader.apply(MAPPER.readTree(object.bytes()));
    } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
      throw new StoreException("an object of the log is not " + what, e);
    }
  }

  private static String text(JsonNode json, String name) {
    return json.required(name).stringValue();
  }

  private static long number(JsonNode json, String name) {
    return json.required(name).longValue();
  }

  private static byte[] bytes(ObjectNode json) {
    return MAPPER.writeValueAsBytes(json);
  }
}
