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
 * control character or not ASCII. The least significant such byte is exact because a borrow only
 * propagates upwards.
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

  /** Copies the string whose opening quote is next; returns whether the copy has escapes in it. */
  static boolean copy(Cursor c) {
    int p = c.pos + 1;
    int o = c.length + 1;
    c.out[o - 1] = '"';
    if (p <= c.end - 2 * Long.BYTES) {
      int closed = copyShort(c.in, p, c.out, o);
      if (closed > 0) {
        c.pos = p + closed;
        c.length = o + closed;
        return false;
      }
      p -= closed;
      o -= closed;
    }
    c.pos = p;
    c.length = o;
    return copyRest(c);
  }

  /**
   * Copies a plain string of at most 15 bytes and returns its length with the closing quote. Of any
   * other string, copies the plain bytes among the first 16 and returns their number, negated.
   *
   * <p>Most names and many values are that short, and entering a loop takes longer than copying
   * them.
   */
  private static int copyShort(byte[] in, int p, byte[] out, int o) {
    int before = 0;
    long eight = (long) LONG.get(in, p);
    LONG.set(out, o, eight);
    long special = special(eight);
    if (special == 0) {
      before = Long.BYTES;
      eight = (long) LONG.get(in, p + Long.BYTES);
      LONG.set(out, o + Long.BYTES, eight);
      special = special(eight);
    }
    int plain = before + (Long.numberOfTrailingZeros(special) >>> 3);
    return special != 0 && firstSpecial(eight, special) == '"' ? plain + 1 : -plain;
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

  /**
   * Returns a long with the high bit of the first byte that is not plain, and possibly of later
   * ones. Bytes that are not ASCII are always included, so the subtractions may be wrong about
   * them.
   */
  private static long special(long eight) {
    long quotes = (eight ^ QUOTES) - ONES;
    long backslashes = (eight ^ BACKSLASHES) - ONES;
    long controls = eight - SPACES;
    return (quotes | backslashes | controls | eight) & HIGH_BITS;
  }

  /** Returns the byte that the lowest bit of {@code special}, a high bit, belongs to. */
  private static int firstSpecial(long eight, long special) {
    return (byte) (eight >>> (Long.numberOfTrailingZeros(special) - 7));
  }

  private static boolean isPlain(int b) {
    return b >= ' ' && b != '"' && b != '\\';
  }
}
