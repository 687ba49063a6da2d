package dev.once.events;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Metadata as a JSON object of texts, as the table of events has it. */
final class MetadataJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static final String EMPTY = "{}";

  private MetadataJson() {}

  static String write(Map<String, String> metadata) {
    return MAPPER.writeValueAsString(metadata);
  }

  static Map<String, String> read(String json) {
    if (json.equals(EMPTY)) {
      return Map.of();
    }
    Map<String, String> metadata = new LinkedHashMap<>();
    MAPPER
        .readTree(json)
        .properties()
        .forEach(it -> metadata.put(it.getKey(), it.getValue().stringValue()));
    return metadata;
  }
}
