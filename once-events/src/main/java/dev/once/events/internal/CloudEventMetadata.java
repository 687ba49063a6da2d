package dev.once.events.internal;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Metadata as extension attributes of CloudEvents. What has a name that an attribute may have is an
 * attribute of its own; the rest is a JSON object in the text of one attribute.
 */
final class CloudEventMetadata {
  private static final String REST = "oncemetadata";
  private static final Pattern NAME = Pattern.compile("[a-z0-9]{1,20}");

  private static final Set<String> RESERVED =
      Set.of(
          "specversion",
          "id",
          "source",
          "type",
          "subject",
          "time",
          "datacontenttype",
          "data",
          "sequence",
          "aggregatetype",
          "kind",
          REST);

  private CloudEventMetadata() {}

  static Map<String, String> write(Map<String, String> metadata) {
    Map<String, String> attributes = new TreeMap<>();
    Map<String, String> rest = new TreeMap<>();
    metadata.forEach(
        (name, value) -> {
          // An empty attribute does not exist.
          boolean isPlain =
              NAME.matcher(name).matches() && !RESERVED.contains(name) && !value.isEmpty();
          (isPlain ? attributes : rest).put(name, value);
        });
    if (!rest.isEmpty()) {
      attributes.put(REST, EventJson.MAPPER.writeValueAsString(rest));
    }
    return attributes;
  }

  /** Replaces what {@link #write} put together by what it was. */
  static void read(Map<String, String> attributes) {
    String rest = attributes.remove(REST);
    if (rest == null) {
      return;
    }
    try {
      JsonNode object = EventJson.MAPPER.readTree(rest);
      object.properties().forEach(it -> attributes.put(it.getKey(), it.getValue().stringValue()));
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "CloudEvents attribute " + REST + " must be a JSON object of texts", e);
    }
  }
}
