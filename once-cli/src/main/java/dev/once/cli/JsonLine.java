package dev.once.cli;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One JSON object in one line. */
final class JsonLine {
  /** Data of events is shown as it is: 1.50 stays 1.50, and no digit is lost. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final ObjectNode object = MAPPER.createObjectNode();

  JsonLine put(String name, String value) {
    object.put(name, value);
    return this;
  }

  JsonLine put(String name, long value) {
    object.put(name, value);
    return this;
  }

  JsonLine put(String name, boolean value) {
    object.put(name, value);
    return this;
  }

  JsonLine put(String name, Instant value) {
    return put(name, value.toString());
  }

  JsonLine put(String name, JsonNode value) {
    object.set(name, value);
    return this;
  }

  /** Puts a value that may be missing; it is left out then. */
  JsonLine put(String name, Optional<?> value) {
    value.ifPresent(it -> put(name, it.toString()));
    return this;
  }

  JsonLine put(String name, List<String> values) {
    var array = object.putArray(name);
    values.forEach(array::add);
    return this;
  }

  /** Puts JSON of another source; throws an exception of Jackson if it is none. */
  JsonLine putJson(String name, byte[] json) {
    return put(name, MAPPER.readTree(json));
  }

  JsonNode node() {
    return object;
  }

  @Override
  public String toString() {
    return MAPPER.writeValueAsString(object);
  }
}
