package dev.once.events.internal;

import dev.once.events.Event;
import dev.once.events.EventData;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes the attributes of CloudEvents 1.0. */
public final class CloudEventAttributes {
  private CloudEventAttributes() {}

  /** Returns the attributes of an event, without those of its metadata and its data. */
  public static Map<String, String> of(Event event) {
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
}
