package dev.once.json;

import dev.once.json.JsonRefusedException.Reason;

/**
 * Copies non-ASCII characters, and only the well-formed sequences of Unicode table 3-7: no overlong
 * forms, no surrogates, nothing beyond U+10FFFF.
 */
final class Utf8 {
  private Utf8() {}

  /** Copies the run of non-ASCII characters that starts here. */
  static void copy(Cursor c) {
    while (c.pos < c.end && c.in[c.pos] < 0) {
      int bytes = sequenceAt(c.in, c.pos, c.end);
      if (bytes == 0) {
        throw c.refuse(Reason.NOT_UTF8);
      }
      for (int i = 0; i < bytes; i++) {
        c.write(c.in[c.pos++]);
      }
    }
  }

  /** Appends {@code codePoint}, which is not a surrogate. */
  static void write(Cursor c, int codePoint) {
    if (codePoint < 0x80) {
      c.write(codePoint);
    } else if (codePoint < 0x800) {
      c.write(0xC0 | codePoint >> 6);
      c.write(continuation(codePoint));
    } else if (codePoint < 0x10000) {
      c.write(0xE0 | codePoint >> 12);
      c.write(continuation(codePoint >> 6));
      c.write(continuation(codePoint));
    } else {
      c.write(0xF0 | codePoint >> 18);
      c.write(continuation(codePoint >> 12));
      c.write(continuation(codePoint >> 6));
      c.write(continuation(codePoint));
    }
  }

  /** Returns the length of the well-formed sequence at {@code p}, or 0 if there is none. */
  private static int sequenceAt(byte[] in, int p, int end) {
    int lead = in[p] & 0xFF;
    int bytes = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (bytes == 0 || bytes > end - p || !isSecond(lead, in[p + 1] & 0xFF)) {
      return 0;
    }
    for (int i = 2; i < bytes; i++) {
      if ((in[p + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return bytes;
  }

  /**
   * Checks the second byte, which alone reveals overlong forms, surrogates and values beyond
   * U+10FFFF.
   */
  private static boolean isSecond(int lead, int second) {
    int min = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int max = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= min && second <= max;
  }

  private static int continuation(int bits) {
    return 0x80 | (bits & 0x3F);
  }
}
