package dev.once.http;

import dev.once.http.BareItem.BooleanItem;
import dev.once.http.BareItem.BytesItem;
import dev.once.http.BareItem.DateItem;
import dev.once.http.BareItem.DecimalItem;
import dev.once.http.BareItem.DisplayStringItem;
import dev.once.http.BareItem.IntegerItem;
import dev.once.http.BareItem.StringItem;
import dev.once.http.BareItem.TokenItem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The published vectors for structured field items; SOURCE.txt names their origin. */
final class ItemVectors {
  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private static final List<String> FILES =
      List.of(
          "binary",
          "boolean",
          "date",
          "display-string",
          "examples",
          "item",
          "large-generated",
          "number",
          "number-generated",
          "string",
          "string-generated",
          "token",
          "token-generated");

  private ItemVectors() {}

  /** One parse case. */
  record Vector(String file, JsonNode json) {
    List<String> lines() {
      return json.get("raw").valueStream().map(JsonNode::stringValue).toList();
    }

    boolean mustFail() {
      return json.path("must_fail").asBoolean(false);
    }

    boolean canFail() {
      return json.path("can_fail").asBoolean(false);
    }

    StructuredItem expected() {
      Map<String, BareItem> parameters = new LinkedHashMap<>();
      for (JsonNode parameter : json.get("expected").get(1)) {
        parameters.put(parameter.get(0).stringValue(), bareItem(parameter.get(1)));
      }
      return new StructuredItem(bareItem(json.get("expected").get(0)), parameters);
    }

    @Override
    public String toString() {
      return file + ": " + json.get("name").stringValue();
    }
  }

  static Stream<Vector> all() {
    return FILES.stream()
        .flatMap(file -> read(file).valueStream().map(json -> new Vector(file, json)))
        .filter(vector -> vector.json.get("header_type").stringValue().equals("item"));
  }

  private static JsonNode read(String file) {
    String path = "/structured-fields/" + file + ".json";
    try (InputStream json = ItemVectors.class.getResourceAsStream(path)) {
      return JSON.readTree(Objects.requireNonNull(json, path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BareItem bareItem(JsonNode json) {
    if (json.isString()) {
      return new StringItem(json.stringValue());
    }
    if (json.isBoolean()) {
      return new BooleanItem(json.booleanValue());
    }
    if (json.isIntegralNumber()) {
      return new IntegerItem(json.longValue());
    }
    if (json.isNumber()) {
      return new DecimalItem(json.decimalValue().stripTrailingZeros());
    }
    return typed(json.get("__type").stringValue(), json.get("value"));
  }

  private static BareItem typed(String type, JsonNode value) {
    return switch (type) {
      case "token" -> new TokenItem(value.stringValue());
      case "binary" -> new BytesItem(ByteBuffer.wrap(base32(value.stringValue())));
      case "date" -> new DateItem(Instant.ofEpochSecond(value.longValue()));
      case "displaystring" -> new DisplayStringItem(value.stringValue());
      default -> throw new IllegalStateException("unknown type " + type);
    };
  }

  private static byte[] base32(String text) {
    String digits = text.replace("=", "");
    ByteBuffer bytes = ByteBuffer.allocate(digits.length() * 5 / 8);
    long bits = 0;
    for (int i = 0; i < digits.length(); i++) {
      bits = bits << 5 | BASE32.indexOf(digits.charAt(i));
      int kept = (i + 1) * 5 % 8; // bits that do not fill a byte yet
      if (kept < 5) {
        bytes.put((byte) (bits >> kept));
      }
    }
    return bytes.array();
  }
}
