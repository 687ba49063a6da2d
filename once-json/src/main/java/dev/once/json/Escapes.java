package dev.once.json;

import dev.once.json.JsonRefusedException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Converts every escape to the one canonical spelling of its character. */
final class Escapes {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private Escapes() {}

  /** Copies the escape that starts here; returns whether the copy is an escape too. */
  static boolean copy(Cursor c) {
    int kind = byteAt(c, c.pos + 1);
    switch (kind) {
      case '"', '\\', 'b', 'f', 'n', 'r', 't' -> {
        c.write('\\');
        c.write(kind);
        c.pos += 2;
        return true;
      }
      case '/' -> {
        c.write('/');
        c.pos += 2;
        return false;
      }
      case 'u' -> {
        return write(c, codePoint(c));
      }
      default -> throw c.refuse(Reason.SYNTAX, c.pos + 1);
    }
  }

  /** Returns the canonical JSON string for {@code text}, quotes included. */
  static byte[] quote(String text) {
    Cursor c = new Cursor();
    c.reserve(2 + 6 * text.length());
    c.write('"');
    text.codePoints().forEach(codePoint -> write(c, codePoint));
    c.write('"');
    return Arrays.copyOf(c.out, c.length);
  }

  /** Reads four hex digits, or twice four for a pair of surrogates. */
  private static int codePoint(Cursor c) {
    int start = c.pos;
    char unit = hex4(c, start + 2);
    c.pos += 6;
    if (!Character.isSurrogate(unit)) {
      return unit;
    }
    // A low surrogate here and a high surrogate without its partner are the same error.
    boolean paired =
        Character.isHighSurrogate(unit)
            && c.end - c.pos >= 2
            && c.in[c.pos] == '\\'
            && c.in[c.pos + 1] == 'u';
    char partner = paired ? hex4(c, c.pos + 2) : 0;
    if (!Character.isLowSurrogate(partner)) {
      throw c.refuse(Reason.LONE_SURROGATE, start);
    }
    c.pos += 6;
    return Character.toCodePoint(unit, partner);
  }

  private static char hex4(Cursor c, int at) {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(byteAt(c, at + i), 16);
      if (digit < 0) {
        throw c.refuse(Reason.SYNTAX, at + i);
      }
      value = value << 4 | digit;
    }
    return (char) value;
  }

  private static boolean write(Cursor c, int codePoint) {
    if (codePoint >= ' ' && codePoint != '"' && codePoint != '\\') {
      Utf8.write(c, codePoint);
      return false;
    }
    c.write('\\');
    switch (codePoint) {
      case '"', '\\' -> c.write(codePoint);
      case '\b' -> c.write('b');
      case '\t' -> c.write('t');
      case '\n' -> c.write('n');
      case '\f' -> c.write('f');
      case '\r' -> c.write('r');
      default -> writeControl(c, codePoint);
    }
    return true;
  }

  private static void writeControl(Cursor c, int codePoint) {
    c.write('u');
    c.write('0');
    c.write('0');
    c.write(HEX[codePoint >> 4]);
    c.write(HEX[codePoint & 0xF]);
  }

  private static int byteAt(Cursor c, int at) {
    if (at >= c.end) {
      throw c.refuse(Reason.TRUNCATED, c.end);
    }
    return c.in[at];
  }
}
