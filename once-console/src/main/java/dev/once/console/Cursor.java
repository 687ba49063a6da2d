package dev.once.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Where the next page starts, as text for a URL. */
final class Cursor {
  private static final int MAX_CHARS = 16_000;

  private Cursor() {}

  static String of(String... parts) {
    String json = Json.mapper().writeValueAsString(parts);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(UTF_8));
  }

  static List<String> parts(String cursor, int count) {
    try {
      if (cursor.length() > MAX_CHARS) {
        throw invalid();
      }
      JsonNode array = Json.mapper().readTree(Base64.getUrlDecoder().decode(cursor));
      List<String> parts = new ArrayList<>();
      for (JsonNode it : array) {
        if (it.isString()) {
          parts.add(it.stringValue());
        }
      }
      if (parts.size() != count) {
        throw invalid();
      }
      return parts;
    } catch (IllegalArgumentException | JacksonException e) {
      throw invalid();
    }
  }

  /** Returns a number of a cursor, which must be 0 to {@code max}. */
  static int number(String text, int max) {
    try {
      int number = Integer.parseInt(text);
      if (number < 0 || number > max) {
        throw invalid();
      }
      return number;
    } catch (NumberFormatException e) {
      throw invalid();
    }
  }

  private static ApiException invalid() {
    return ApiException.invalid("after must be next of the page before");
  }
}
