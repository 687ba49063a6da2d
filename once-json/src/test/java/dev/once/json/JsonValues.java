package dev.once.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** JSON values as plain Java objects, and any number of spellings of each. */
final class JsonValues {
  private static final List<String> WORDS = List.of("null", "true", "false");
  private static final List<String> PIECES =
      List.of(
          "a",
          "b",
          "c",
          "Z",
          "0",
          "7",
          " ",
          "_",
          "\"",
          "\\",
          "/",
          "\b",
          "\f",
          "\n",
          "\r",
          "\t",
          "\u0000",
          "\u001f",
          "\u007f",
          "\u00e9",
          "\u20ac",
          "\ue000",
          "\uffff",
          "\ufb33",
          "\ud83d\ude02",
          "\udbff\udfff");

  private JsonValues() {}

  /** A string, as opposed to the literals and numbers that are represented by their text. */
  record Text(String text) {}

  /** Returns a random value, nested no deeper than {@code depth}. */
  static Object random(Random random, int depth) {
    int kind = random.nextInt(depth > 0 ? 7 : 4);
    int size = random.nextInt(6);
    return switch (kind) {
      case 0, 1 -> new Text(string(random));
      case 2 -> number(random);
      case 3 -> WORDS.get(random.nextInt(WORDS.size()));
      case 4 -> Stream.generate(() -> random(random, depth - 1)).limit(size).toList();
      default -> {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
          members.put(string(random), random(random, depth - 1));
        }
        yield members;
      }
    };
  }

  private static BigDecimal number(Random random) {
    return random.nextBoolean()
        ? BigDecimal.valueOf(random.nextInt(2_000) - 1_000, random.nextInt(5))
        : new BigDecimal(new BigInteger(random.nextInt(100), random), random.nextInt(80) - 40);
  }

  private static String string(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(random.nextInt(4) == 0 ? 24 : 6);
    for (int i = 0; i < length; i++) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }

  /**
   * Returns one of the spellings of {@code value}: order, white space, escapes and numbers vary.
   */
  static String spell(Object value, Random random) {
    if (value instanceof List<?> list) {
      return list.stream()
          .map(item -> spell(item, random))
          .collect(Collectors.joining(",", space(random) + "[", "]" + space(random)));
    }
    if (value instanceof Map<?, ?> map) {
      List<String> members = new ArrayList<>();
      map.forEach((name, item) -> members.add(member((String) name, item, random)));
      Collections.shuffle(members, random);
      return space(random) + "{" + String.join(",", members) + "}" + space(random);
    }
    if (value instanceof Text string) {
      return space(random) + quote(string.text(), random) + space(random);
    }
    return space(random)
        + (value instanceof BigDecimal number ? spellNumber(number, random) : value)
        + space(random);
  }

  /** Returns the same value with one change at a random place. */
  static Object change(Object value, Random random) {
    if (value instanceof List<?> list && !list.isEmpty()) {
      List<Object> changed = new ArrayList<>(list);
      int at = random.nextInt(list.size());
      changed.set(at, change(list.get(at), random));
      return changed;
    }
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      Map<Object, Object> changed = new LinkedHashMap<>(map);
      int at = random.nextInt(map.size());
      Map.Entry<?, ?> member = List.copyOf(map.entrySet()).get(at);
      changed.put(member.getKey(), change(member.getValue(), random));
      return changed;
    }
    if (value instanceof BigDecimal number) {
      return number.add(number.ulp());
    }
    return value instanceof Text string ? new Text(string.text() + "x") : List.of(value);
  }

  private static String member(String name, Object value, Random random) {
    return space(random) + quote(name, random) + space(random) + ":" + spell(value, random);
  }

  private static String spellNumber(BigDecimal number, Random random) {
    int zeros = number.signum() == 0 ? 0 : random.nextInt(4);
    return switch (random.nextInt(4)) {
      case 0 -> number.toPlainString();
      case 1 -> number.toString();
      case 2 -> number.setScale(number.scale() + zeros).toString().replace('E', 'e');
      default -> number.unscaledValue() + "0".repeat(zeros) + "e" + (-number.scale() - zeros);
    };
  }

  private static String quote(String text, Random random) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean must = c < ' ' || c == '"' || c == '\\';
      // An escaped surrogate next to a raw one is not JSON, so pairs stay raw.
      boolean escape = must || (!Character.isSurrogate(c) && random.nextInt(8) == 0);
      json.append(escape ? "\\u%04x".formatted((int) c) : String.valueOf(c));
    }
    return json.append('"').toString();
  }

  private static String space(Random random) {
    return List.of("", "", " ", "\n", "\r\n", "\t ").get(random.nextInt(6));
  }
}
