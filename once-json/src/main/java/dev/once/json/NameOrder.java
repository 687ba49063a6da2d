package dev.once.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Orders names as RFC 8785 does, by the UTF-16 code units of the unescaped name, but reads only
 * their canonical UTF-8 form.
 *
 * <p>The two orders agree up to three differences, all visible at the first byte that differs. A
 * character beyond U+FFFF starts with F0 to F4, but its surrogates sort below U+E000, which starts
 * with EE. An escape starts with a backslash, but sorts as the control character, quote or
 * backslash that it represents. And the end of a name sorts below everything.
 */
final class NameOrder {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final long HIGH_BITS = 0x8080808080808080L;

  private NameOrder() {}

  /**
   * Returns a number that sorts as the first eight bytes of a name without escapes do. Names with
   * equal prefixes may still differ.
   */
  static long prefix(byte[] text, int start, int end) {
    // Reading past the name is harmless: those bytes become zeros, below everything in a name.
    long eight = (long) LONG.get(text, start);
    int missing = Math.max(0, Long.BYTES - (end - start));
    long prefix = missing == Long.BYTES ? 0 : eight >>> (8 * missing) << (8 * missing);
    return ((prefix & HIGH_BITS) == 0 ? prefix : weigh(prefix)) ^ Long.MIN_VALUE;
  }

  private static long weigh(long utf8) {
    long weights = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
      weights = weights << 8 | weight((byte) (utf8 >>> shift));
    }
    return weights;
  }

  /** Compares two names in {@code text}, given without their quotes and free of escapes. */
  static int comparePlain(byte[] text, int a, int aEnd, int b, int bEnd) {
    int at = Arrays.mismatch(text, a, aEnd, text, b, bEnd);
    if (at < 0 || at >= Math.min(aEnd - a, bEnd - b)) {
      return Integer.compare(aEnd - a, bEnd - b);
    }
    return weight(text[a + at]) - weight(text[b + at]);
  }

  /** Compares two names in {@code text}, given without their quotes. */
  static int compareEscaped(byte[] text, int a, int aEnd, int b, int bEnd) {
    int i = a;
    int j = b;
    while (i < aEnd && j < bEnd) {
      boolean escapes = text[i] == '\\' || text[j] == '\\';
      int difference = escapes ? unit(text, i) - unit(text, j) : weight(text[i]) - weight(text[j]);
      if (difference != 0) {
        return difference;
      }
      i += escapes ? width(text, i) : 1;
      j += escapes ? width(text, j) : 1;
    }
    return Boolean.compare(i < aEnd, j < bEnd);
  }

  private static int weight(byte utf8) {
    int b = utf8 & 0xFF;
    return b == 0xEE || b == 0xEF ? b + 0x10 : b;
  }

  private static int unit(byte[] text, int at) {
    if (text[at] != '\\') {
      return text[at] & 0xFF;
    }
    return switch (text[at + 1]) {
      case 'b' -> '\b';
      case 't' -> '\t';
      case 'n' -> '\n';
      case 'f' -> '\f';
      case 'r' -> '\r';
      case 'u' -> Character.digit(text[at + 4], 16) << 4 | Character.digit(text[at + 5], 16);
      default -> text[at + 1];
    };
  }

  private static int width(byte[] text, int at) {
    return text[at] != '\\' ? 1 : text[at + 1] == 'u' ? 6 : 2;
  }
}
