package dev.once.events;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads settings from environment variables, and names the variable of a bad one. A variable that
 * is empty counts as not set.
 */
record Environment(Map<String, String> variables) {
  Optional<String> text(String name) {
    return Optional.ofNullable(variables.get(name)).map(String::strip).filter(it -> !it.isEmpty());
  }

  /** Returns what {@code parser} makes of a value; it says what is allowed. */
  <T> T value(String name, T otherwise, Function<String, T> parser) {
    try {
      return text(name).map(parser).orElse(otherwise);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  boolean flag(String name, boolean otherwise) {
    String value = text(name).orElse(String.valueOf(otherwise));
    if (value.equalsIgnoreCase("true") || value.equals("1")) {
      return true;
    }
    if (value.equalsIgnoreCase("false") || value.equals("0")) {
      return false;
    }
    throw new IllegalArgumentException(name + " must be true or false, got " + value);
  }

  int number(String name, int otherwise, int min, int max) {
    String text = text(name).orElse(String.valueOf(otherwise));
    try {
      long value = Long.parseLong(text);
      Limits.range(name, value, min, max);
      return (int) value;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s must be a whole number of %d to %d, got %s".formatted(name, min, max, text), e);
    }
  }

  Duration seconds(String name, Duration otherwise, int min, Duration max) {
    int value =
        number(name, Math.toIntExact(otherwise.toSeconds()), min, Math.toIntExact(max.toSeconds()));
    return Duration.ofSeconds(value);
  }
}
