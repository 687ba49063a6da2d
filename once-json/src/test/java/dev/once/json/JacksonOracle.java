package dev.once.json;

import java.math.BigDecimal;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Computes a document's canonical text in another way: slowly, by a tree and BigDecimal. */
final class JacksonOracle {
  private static final JsonFactory JACKSON = new JsonFactory();

  private JacksonOracle() {}

  static String canonical(byte[] json) {
    try (JsonParser parser = JACKSON.createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      String text = value(parser);
      if (parser.nextToken() != null) {
        throw new IllegalStateException("more than one value");
      }
      return text;
    }
  }

  private static String value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> quote(parser.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(new BigDecimal(parser.getString()));
      default -> parser.getString();
    };
  }

  private static String object(JsonParser parser) {
    // String.compareTo is the order of RFC 8785.
    TreeMap<String, String> members = new TreeMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser));
    }
    return members.entrySet().stream()
        .map(member -> quote(member.getKey()) + ":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String array(JsonParser parser) {
    StringBuilder text = new StringBuilder("[");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      text.append(text.length() > 1 ? "," : "").append(value(parser));
    }
    return text.append(']').toString();
  }

  private static String number(BigDecimal number) {
    if (number.signum() == 0) {
      return "0";
    }
    BigDecimal stripped = number.stripTrailingZeros();
    int exponent = stripped.precision() - stripped.scale() - 1;
    if (exponent < 21 && exponent >= -6) {
      return stripped.toPlainString();
    }
    BigDecimal mantissa = stripped.scaleByPowerOfTen(-exponent);
    return mantissa.toPlainString() + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
  }

  private static String quote(String text) {
    return IntStream.range(0, text.length())
        .mapToObj(i -> escape(text.charAt(i)))
        .collect(Collectors.joining("", "\"", "\""));
  }

  private static String escape(char c) {
    int known = "\b\t\n\f\r\"\\".indexOf(c);
    if (known >= 0) {
      return "\\" + "btnfr\"\\".charAt(known);
    }
    return c < ' ' ? "\\u%04x".formatted((int) c) : String.valueOf(c);
  }
}
