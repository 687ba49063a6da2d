package dev.once.claims;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The members of a JSON object. Each is read by its name and type; a member that was not read when
 * {@link #end} is called is unknown, and is refused: a misspelled lease must not be a default.
 */
final class Members {
  private final String path;
  private final ObjectNode object;
  private final Set<String> unread;

  private Members(String path, ObjectNode object) {
    this.path = path;
    this.object = object;
    this.unread = new LinkedHashSet<>(object.propertyNames());
  }

  static Members of(ObjectNode body) {
    return new Members("", body);
  }

  /** Returns a value that must be an object, as its members. */
  static Members of(String name, JsonNode value) {
    if (value instanceof ObjectNode it) {
      return new Members(name + ".", it);
    }
    throw refused(name, "an object", value);
  }

  Optional<JsonNode> find(String name) {
    unread.remove(name);
    return Optional.ofNullable(object.get(name));
  }

  Optional<String> findText(String name) {
    return find(name).map(it -> text(name, it));
  }

  String text(String name) {
    return text(name, required(name));
  }

  Optional<Boolean> findFlag(String name) {
    return find(name).map(it -> flag(name, it));
  }

  Optional<Long> findNumber(String name) {
    return find(name).map(it -> number(name, it));
  }

  long number(String name) {
    return number(name, required(name));
  }

  /** Returns a time in milliseconds. */
  Optional<Duration> findMillis(String name) {
    return findNumber(name).map(Duration::ofMillis);
  }

  Members object(String name) {
    return of(path + name, required(name));
  }

  /** Refuses members that were not read. */
  void end() {
    for (String name : unread) {
      throw new IllegalArgumentException(path + name + " is not a member: leave it out");
    }
  }

  private JsonNode required(String name) {
    return find(name)
        .orElseThrow(() -> new IllegalArgumentException(path + name + " is missing: send it"));
  }

  private String text(String name, JsonNode value) {
    if (value.isString()) {
      return value.stringValue();
    }
    throw refused(path + name, "a string", value);
  }

  private boolean flag(String name, JsonNode value) {
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    throw refused(path + name, "true or false", value);
  }

  private long number(String name, JsonNode value) {
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return value.longValue();
    }
    throw refused(path + name, "an integer of 64 bits", value);
  }

  private static IllegalArgumentException refused(String name, String type, JsonNode value) {
    return new IllegalArgumentException(
        name + " must be " + type + ", got a value of type " + value.getNodeType());
  }
}
