package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one parameter of a query, and removes it. */
record QueryParameter(String name) {
  /**
   * Returns the values in their order; the value of a name without an equals sign is empty.
   *
   * @throws IllegalArgumentException if a value has an invalid escape
   */
  List<String> valuesIn(String query) {
    return pairs(query).filter(this::isNamed).map(it -> decode(valueOf(it))).toList();
  }

  /** Returns the query without the parameter. */
  String removedFrom(String query) {
    return pairs(query).filter(Predicate.not(this::isNamed)).collect(Collectors.joining("&"));
  }

  private boolean isNamed(String pair) {
    int equals = pair.indexOf('=');
    String sent = equals < 0 ? pair : pair.substring(0, equals);
    try {
      return decode(sent).equals(name);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Stream<String> pairs(String query) {
    return Stream.of(query.split("&", -1));
  }

  private static String valueOf(String pair) {
    int equals = pair.indexOf('=');
    return equals < 0 ? "" : pair.substring(equals + 1);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, UTF_8);
  }
}
