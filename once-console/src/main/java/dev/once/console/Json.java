package dev.once.console;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object of an answer. Numbers that may have more digits than a number of JavaScript keeps are
 * text: fences, ids, sizes.
 */
final class Json {
  private static final int MAX_DEPTH = 5;
  private static final int MAX_NAME_CHARS = 100;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNameLength(MAX_NAME_CHARS)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .build();

  private final ObjectNode node = JsonNodeFactory.instance.objectNode();

  Json put(String name, String value) {
    node.put(name, value);
    return this;
  }

  Json put(String name, int value) {
    node.put(name, value);
    return this;
  }

  Json put(String name, boolean value) {
    node.put(name, value);
    return this;
  }

  Json put(String name, Instant value) {
    return put(name, value.toString());
  }

  Json put(String name, Json value) {
    node.set(name, value.node);
    return this;
  }

  /** Puts a number as text. */
  Json putText(String name, long value) {
    return put(name, Long.toString(value));
  }

  /** Puts a value that may be missing; it is left out then. */
  Json putIfPresent(String name, Optional<?> value) {
    value.ifPresent(it -> put(name, it.toString()));
    return this;
  }

  Json putMillis(String name, Optional<Duration> value) {
    value.ifPresent(it -> putText(name, it.toMillis()));
    return this;
  }

  Json putTexts(String name, Collection<String> values) {
    ArrayNode array = node.putArray(name);
    values.forEach(array::add);
    return this;
  }

  Json putNumbers(String name, long[] values) {
    ArrayNode array = node.putArray(name);
    for (long it : values) {
      array.add(it);
    }
    return this;
  }

  <T> Json putAll(String name, Collection<T> values, Function<T, Json> mapping) {
    ArrayNode array = node.putArray(name);
    values.forEach(it -> array.add(mapping.apply(it).node));
    return this;
  }

  byte[] bytes() {
    return MAPPER.writeValueAsBytes(node);
  }

  /** Reads the body of a call. */
  static JsonNode read(byte[] body) {
    try {
      JsonNode read = MAPPER.readTree(body);
      if (!read.isObject()) {
        throw ApiException.invalid("the body must be a JSON object");
      }
      return read;
    } catch (JacksonException e) {
      throw ApiException.invalid("the body is not JSON, has a name twice, or is too deep");
    }
  }

  static JsonMapper mapper() {
    return MAPPER;
  }

  @Override
  public String toString() {
    return MAPPER.writeValueAsString(node);
  }
}
