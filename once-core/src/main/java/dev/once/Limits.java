package dev.once;

import java.time.Duration;

/**
 * Refuses values outside their limits with a message that names the thing, the value and the way
 * out.
 */
final class Limits {
  private Limits() {}

  static void length(String what, String value, int min, int max) {
    if (value.length() < min || value.length() > max) {
      throw new IllegalArgumentException(
          what + " must have " + min + " to " + max + " characters, got " + value.length());
    }
  }

  static void range(String what, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          what + " must be " + min + " to " + max + ", got " + value);
    }
  }

  static void range(String what, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          what + " must be " + min + " to " + max + ", got " + value);
    }
  }
}
