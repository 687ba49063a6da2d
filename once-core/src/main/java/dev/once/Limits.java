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

  /**
   * How many bytes {@code text} takes in UTF-8. Half a surrogate pair has no such form: encoders
   * put a question mark in its place, and two different texts would become one.
   */
  static int utf8Bytes(String what, String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isSurrogatePair(c, i + 1 < text.length() ? text.charAt(i + 1) : 0)) {
        bytes += 4;
        i++;
      } else {
        throw new IllegalArgumentException(what + " has half a surrogate pair at " + i);
      }
    }
    return bytes;
  }
}
