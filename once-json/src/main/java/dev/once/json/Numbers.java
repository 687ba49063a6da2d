package dev.once.json;

import dev.once.json.JsonRefusedException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Copies numbers in the one spelling that their exact decimal value has.
 *
 * <p>RFC 8785 rounds every number to binary64 first, which makes one amount of 9007199254740993 and
 * 9007199254740992. Here the digits are never rounded. The layout is still ECMAScript's, so a
 * number that binary64 holds is written as RFC 8785 writes it. With {@code digits} free of leading
 * and trailing zeros and the value equal to {@code 0.digits × 10^point}:
 *
 * <pre>
 *   digits ≤ point ≤ 21    1500          zeros fill up to the point
 *        0 < point ≤ 21    12.5          the point falls between two digits
 *       -6 < point ≤ 0     0.00125       zeros follow the point
 *   any other point        1.25e+30      one digit, the rest, the exponent
 *   no digits              0             there is no negative zero
 * </pre>
 *
 * <p>No number is ever computed: the work is one pass over the digits that are there, and at most
 * 21 zeros are added.
 */
final class Numbers {
  private static final int MAX_PLAIN_POINT = 21;
  private static final int MIN_PLAIN_POINT = -6;
  // Beyond every limit, and small enough that ten times it is still an int.
  private static final int ENDLESS = 100_000_000;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Numbers() {}

  /** Copies the number that starts here, a digit or a minus. */
  static void copy(Cursor c, JsonLimits limits) {
    int start = c.pos;
    int digits = c.in[start] == '-' ? start + 1 : start;
    int point = skipInteger(c, digits);
    int end = isPlain(c, digits, point) ? point : plainDecimalEnd(c, digits, point);
    if (end > 0) {
      copyPlain(c, start, end);
      return;
    }
    new Parts(c, start, digits, point).write(limits);
    c.reserveRest();
  }

  /** Copies the number that starts here without a change. */
  static void copySpelling(Cursor c, JsonLimits limits) {
    int start = c.pos;
    int length = c.length;
    copy(c, limits);
    c.length = length;
    c.reserve(c.pos - start + c.end - c.pos);
    System.arraycopy(c.in, start, c.out, length, c.pos - start);
    c.length += c.pos - start;
  }

  /**
   * Returns whether an integer of 21 digits or fewer ends at {@code end}: it is canonical already.
   */
  private static boolean isPlain(Cursor c, int digits, int end) {
    int after = end < c.end ? c.in[end] : ' ';
    return after != '.' && (after | 0x20) != 'e' && end - digits <= MAX_PLAIN_POINT;
  }

  /** Returns the end of a decimal such as 12.5 that is canonical already, or 0 if it is not. */
  private static int plainDecimalEnd(Cursor c, int digits, int point) {
    if (point == c.end || c.in[point] != '.' || point - digits > MAX_PLAIN_POINT) {
      return 0;
    }
    int end = skipDigits(c, point + 1);
    boolean isSmall = c.in[digits] == '0' && c.in[point + 1] == '0';
    boolean isShort = end - digits <= MAX_PLAIN_POINT;
    boolean isLast = end == c.end || (c.in[end] | 0x20) != 'e';
    return !isSmall && isShort && isLast && c.in[end - 1] != '0' ? end : 0;
  }

  private static void copyPlain(Cursor c, int start, int end) {
    boolean minusZero = c.in[start] == '-' && c.in[start + 1] == '0' && end == start + 2;
    int from = minusZero ? start + 1 : start;
    if (end - from <= Long.BYTES && from <= c.end - Long.BYTES) {
      LONG.set(c.out, c.length, (long) LONG.get(c.in, from)); // faster than a loop for few bytes
    } else {
      System.arraycopy(c.in, from, c.out, c.length, end - from);
    }
    c.length += end - from;
    c.pos = end;
  }

  private static int skipInteger(Cursor c, int from) {
    int end = skipDigits(c, from);
    if (c.in[from] == '0' && end > from + 1) {
      throw c.refuse(Reason.SYNTAX, from + 1); // 01 could be read as octal
    }
    return end;
  }

  /** Returns the position after at least one digit. */
  private static int skipDigits(Cursor c, int from) {
    byte[] in = c.in;
    int p = from <= c.end - Long.BYTES ? from + leadingDigits((long) LONG.get(in, from)) : from;
    while (p < c.end && in[p] >= '0' && in[p] <= '9') {
      p++;
    }
    if (p == from) {
      throw c.refuse(p == c.end ? Reason.TRUNCATED : Reason.SYNTAX, p);
    }
    return p;
  }

  /**
   * Returns how many of the eight bytes, from the first on, are digits. This has no branch that the
   * processor could mispredict, unlike a loop over a varying number of digits.
   */
  private static int leadingDigits(long eight) {
    long values = eight ^ (ONES * '0'); // 0 to 9 for digits, and nothing else is that low
    long others = (values + ONES * (0x80 - 10)) | values;
    return Long.numberOfTrailingZeros(others & HIGH_BITS) >>> 3;
  }

  /** The parts of a number with a fraction, an exponent or more than 21 digits. */
  private static final class Parts {
    private final Cursor c;
    private final int start;
    private final int pointAt;
    private final boolean hasPoint;
    private int first;
    private int last;
    private int exponent;

    Parts(Cursor c, int start, int digits, int integerEnd) {
      this.c = c;
      this.start = start;
      this.pointAt = integerEnd;
      this.hasPoint = integerEnd < c.end && c.in[integerEnd] == '.';
      int digitsEnd = hasPoint ? skipDigits(c, integerEnd + 1) : integerEnd;
      c.pos = digitsEnd;
      this.exponent = readExponent();
      this.first = digits;
      this.last = digitsEnd;
      strip();
    }

    private int readExponent() {
      if (c.pos == c.end || (c.in[c.pos] | 0x20) != 'e') {
        return 0;
      }
      int p = c.pos + 1;
      int sign = p < c.end ? c.in[p] : ' ';
      int from = sign == '-' || sign == '+' ? p + 1 : p;
      c.pos = skipDigits(c, from);
      int value = 0;
      for (int i = from; i < c.pos; i++) {
        value = Math.min(value * 10 + (c.in[i] - '0'), ENDLESS);
      }
      return sign == '-' ? -value : value;
    }

    /** Moves {@code first} and {@code last} to the significant digits. */
    private void strip() {
      while (first < last && isZeroOrPoint(first)) {
        first++;
      }
      while (first < last && isZeroOrPoint(last - 1)) {
        last--;
      }
    }

    private boolean isZeroOrPoint(int at) {
      return c.in[at] == '0' || c.in[at] == '.';
    }

    void write(JsonLimits limits) {
      if (Math.abs(exponent) > limits.maxExponent()) {
        throw c.refuse(Reason.EXPONENT_TOO_LARGE, start);
      }
      if (first == last) {
        c.write('0');
        return;
      }
      int digits = last - first - (hasPoint && first < pointAt && last > pointAt ? 1 : 0);
      int point = exponent + pointAt - first + (hasPoint && first > pointAt ? 1 : 0);
      if (digits > limits.maxDigits()) {
        throw c.refuse(Reason.TOO_MANY_DIGITS, start);
      }
      if (Math.abs(point - 1) > limits.maxExponent()) {
        throw c.refuse(Reason.EXPONENT_TOO_LARGE, start);
      }
      if (c.in[start] == '-') {
        c.write('-');
      }
      layOut(digits, point);
    }

    private void layOut(int digits, int point) {
      if (point > MAX_PLAIN_POINT || point <= MIN_PLAIN_POINT) {
        writeDigits(1);
        writeExponent(point - 1);
      } else if (point <= 0) {
        c.write('0');
        c.write('.');
        writeZeros(-point);
        writeDigits(digits);
      } else {
        writeDigits(Math.min(point, digits));
        writeZeros(point - digits);
      }
    }

    /** Writes the digits, with a point after {@code whole} of them if more follow. */
    private void writeDigits(int whole) {
      int left = whole;
      for (int p = first; p < last; p++) {
        if (c.in[p] != '.') {
          if (left-- == 0) {
            c.write('.');
          }
          c.write(c.in[p]);
        }
      }
    }

    private void writeZeros(int count) {
      for (int i = 0; i < count; i++) {
        c.write('0');
      }
    }

    private void writeExponent(int value) {
      c.write('e');
      c.write(value < 0 ? '-' : '+');
      int rest = Math.abs(value);
      int unit = 1;
      while (rest / unit >= 10) {
        unit *= 10;
      }
      for (; unit > 0; unit /= 10) {
        c.write('0' + rest / unit % 10);
      }
    }
  }
}
