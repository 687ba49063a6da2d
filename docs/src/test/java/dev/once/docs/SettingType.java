package dev.once.docs;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The type of a setting as a page names it: its values if they are few, otherwise a word. */
final class SettingType {
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("java.lang.Boolean", "`true`, `false`"),
          Map.entry("java.lang.String", "text"),
          Map.entry("java.lang.Integer", "number"),
          Map.entry("java.lang.Long", "number"),
          Map.entry("java.time.Duration", "time"),
          Map.entry("org.springframework.util.unit.DataSize", "size"),
          Map.entry(
              "org.springframework.boot.actuate.endpoint.Access",
              "`none`, `read-only`, `unrestricted`"),
          Map.entry("java.util.List<java.lang.String>", "list of text"),
          Map.entry("java.util.Set<java.lang.String>", "list of text"),
          Map.entry("java.util.Map<java.lang.String,java.lang.String>", "text by name"));

  private SettingType() {}

  /** Returns the words for a type as the metadata names it; a type without words is an enum. */
  static String words(String type) {
    String words = WORDS.get(type);
    return words == null ? constants(type) : words;
  }

  private static String constants(String type) {
    try {
      return Stream.of(Class.forName(type).getEnumConstants())
          .map(it -> ((Enum<?>) it).name().toLowerCase(Locale.ROOT).replace('_', '-'))
          .collect(Collectors.joining("`, `", "`", "`"));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("SettingType needs words for " + type, e);
    }
  }
}
