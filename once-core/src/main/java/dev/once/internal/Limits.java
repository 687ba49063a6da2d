package dev.once.internal;

import java.time.Duration;

/**
 * Refuses values outside their limits with a message that names the thing, the value and the way
 * out.
 */
public final class Limits {
  private Limits() {}

  public static void length(String what, String value, int min, int max) {
    if (value.length() < min || value.length() > max) {
      throw new IllegalArgumentException(
          what + " must have " + min + " to " + max + " characters, got " + value.length());
    }
  }

  public static void range(String what, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          what + " must be " + min + " to " + max + ", got " + value);
    }
  }

  public static void range(String what, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          what + " must be " + min + " to " + max + ", got " + value);
    }
  }

  /**
   * Refuses text that is too short or too long, or that no database could store. Returns how many
   * bytes it takes in UTF-8.
   */
  public static int text(String what, String text, int min, int max) {
    length(what, text, min, max);
    int nul = text.indexOf(0);
    if (nul >= 0) { // Databases truncate or refuse such text.
      throw new IllegalArgumentException(what + " must not contain U+0000, found at " + nul);
    }
    return utf8Bytes(what, text);
  }

  /**
   * Returns how many bytes {@code text} takes in UTF-8. Refuses an unpaired surrogate, which has no
   * UTF-8 form: encoders replace it by a question mark, so two different texts would become one.
   */
  public static int utf8Bytes(String what, String text) {
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
