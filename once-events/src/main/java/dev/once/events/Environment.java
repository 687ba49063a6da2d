package dev.once.events;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.Map;

/** Reads settings from environment variables. */
record Environment(Map<String, String> variables) {
  int number(String name, int otherwise, int min, int max) {
    String text = variables.getOrDefault(name, "").strip();
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      long value = Long.parseLong(text);
      Limits.range(name, value, min, max);
      return (int) value;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " must be a number, got " + text, e);
    }
  }

  Duration seconds(String name, int otherwise, int min, Duration max) {
    return Duration.ofSeconds(number(name, otherwise, min, Math.toIntExact(max.toSeconds())));
  }
}
