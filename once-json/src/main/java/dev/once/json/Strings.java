package dev.once.json;

import dev.once.json.JsonRefusedException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Copies strings in their canonical form: RFC 8785 section 3.2.2.2.
 *
 * <p>Most bytes of most strings are plain ASCII, already canonical. They are copied eight at a
 * time: a few operations on a {@code long} find the first byte that is a quote, a backslash, a
 * control or not ASCII, and the least significant such byte is exact because a borrow only travels
 * upwards.
 */
final class Strings {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long SPACES = ONES * ' ';
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';

  private Strings() {}

  /** Copies the string whose opening quote is next; says whether the copy has escapes in it. */
  static boolean copy(Cursor c) {
    byte[] in = c.in;
    byte[] out = c.out;
    int p = c.pos;
    int o = c.length;
    int last = c.end - Long.BYTES;
    out[o++] = in[p++];
    for (; p <= last; p += Long.BYTES, o += Long.BYTES) {
      long eight = (long) LONG.get(in, p);
      LONG.set(out, o, eight);
      long special = special(eight);
      // A branch, so that the next eight can be read before this is known.
      if (special != 0) {
        int plain = Long.numberOfTrailingZeros(special) >>> 3;
        p += plain;
        o += plain;
        if (in[p] == '"') { // and it is in the copy already
          c.pos = p + 1;
          c.length = o + 1;
          return false;
        }
        break;
      }
    }
    c.pos = p;
    c.length = o;
    return copyRest(c);
  }

  /** Copies the rest of a string that is not all plain ASCII, or that ends near the input's end. */
  private static boolean copyRest(Cursor c) {
    boolean escaped = false;
    while (c.pos < c.end) {
      int b = c.in[c.pos];
      if (b == '"') {
        c.write(b);
        c.pos++;
        return escaped;
      } else if (b == '\\') {
        escaped |= Escapes.copy(c);
      } else if (b < 0) {
        Utf8.copy(c);
      } else if (b < ' ') {
        throw c.refuse(Reason.SYNTAX); // a control character must be escaped
      }
      copyPlain(c);
    }
    throw c.refuse(Reason.TRUNCATED);
  }

  /** Copies plain ASCII, if there is any. */
  private static void copyPlain(Cursor c) {
    byte[] in = c.in;
    byte[] out = c.out;
    int p = c.pos;
    int o = c.length;
    int last = c.end - Long.BYTES;
    for (; p <= last; p += Long.BYTES, o += Long.BYTES) {
      long eight = (long) LONG.get(in, p);
      LONG.set(out, o, eight);
      long special = special(eight);
      if (special != 0) {
        int plain = Long.numberOfTrailingZeros(special) >>> 3;
        c.pos = p + plain;
        c.length = o + plain;
        return;
      }
    }
    while (p < c.end && isPlain(in[p])) {
      out[o++] = in[p++];
    }
    c.pos = p;
    c.length = o;
  }

  private static long special(long eight) {
    long quotes = eight ^ QUOTES;
    long backslashes = eight ^ BACKSLASHES;
    long found =
        ((eight - SPACES) & ~eight)
            | ((quotes - ONES) & ~quotes)
            | ((backslashes - ONES) & ~backslashes)
            | eight;
    return found & HIGH_BITS;
  }

  private static boolean isPlain(int b) {
    return b >= ' ' && b != '"' && b != '\\';
  }
}
