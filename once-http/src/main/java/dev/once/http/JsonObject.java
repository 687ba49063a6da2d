package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes a small JSON object, its members in insertion order. */
final class JsonObject {
  private static final int REPLACEMENT = 0xfffd;

  private final Map<String, String> members = new LinkedHashMap<>();

  JsonObject put(String name, String value) {
    return member(name, quote(value));
  }

  JsonObject put(String name, long value) {
    return member(name, Long.toString(value));
  }

  /** Puts {@code value} as it is now; later changes to it have no effect. */
  JsonObject put(String name, JsonObject value) {
    return member(name, value.toString());
  }

  byte[] toBytes() {
    return toString().getBytes(UTF_8);
  }

  @Override
  public String toString() {
    return members.entrySet().stream()
        .map(member -> member.getKey() + ":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private JsonObject member(String name, String json) {
    if (members.putIfAbsent(quote(name), json) != null) {
      throw new IllegalArgumentException("object already has a member " + name + "; put it once");
    }
    return this;
  }

  private static String quote(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    text.codePoints().forEach(c -> append(json, c));
    return json.append('"').toString();
  }

  private static void append(StringBuilder json, int c) {
    if (c == '"' || c == '\\') {
      json.append('\\').append((char) c);
    } else if (c < ' ') {
      json.append(String.format("\\u%04x", c));
    } else {
      // An unpaired surrogate has no form in UTF-8: the encoder would write a question mark.
      boolean isHalf = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
      json.appendCodePoint(isHalf ? REPLACEMENT : c);
    }
  }
}
