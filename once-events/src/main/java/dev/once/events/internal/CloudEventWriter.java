package dev.once.events.internal;

import dev.once.events.Event;
import dev.once.events.EventData;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Writes events as CloudEvents 1.0. */
public final class CloudEventWriter {
  private CloudEventWriter() {}

  /** Returns the attributes of an event, without those of its metadata and its data. */
  public static Map<String, String> attributes(Event event) {
    EventData content = event.content();
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("specversion", "1.0");
    attributes.put("id", content.id());
    attributes.put("source", content.source());
    attributes.put("type", content.type());
    attributes.put("subject", content.aggregate().id());
    attributes.put("time", event.time().toString());
    attributes.put("sequence", String.valueOf(event.sequence()));
    attributes.put("aggregatetype", content.aggregate().type());
    attributes.put("kind", content.kind().name().toLowerCase(Locale.ROOT));
    return attributes;
  }

  /** Writes a CloudEvent in JSON. */
  public static byte[] write(Event event) {
    ObjectNode json = EventJson.MAPPER.createObjectNode();
    attributes(event).forEach(json::put);
    CloudEventMetadata.write(event.content().metadata()).forEach(json::put);
    json.put("datacontenttype", event.content().contentType());
    EventJson.writeData(json, event.content());
    return EventJson.MAPPER.writeValueAsBytes(json);
  }
}
