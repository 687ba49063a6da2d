package dev.once.json;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** Replaces sensitive members and masks phone numbers while a document is copied. */
final class Redaction extends Edits {
  static final String REPLACEMENT = "[redacted]";

  /** The mark of a value that is a phone number, or of an array of such. */
  static final long PHONE = 1;

  // A local number without its area may have seven digits; E.164 allows fifteen.
  private static final int MIN_PHONE_DIGITS = 7;
  private static final int MAX_PHONE_DIGITS = 15;
  private static final byte[] QUOTED = Escapes.quote(REPLACEMENT);

  private final Map<String, Long> marks;

  Redaction(Map<String, Long> marks) {
    this.marks = Map.copyOf(marks);
  }

  /** The form in which names are compared: apiKey, API_KEY and api-key are one. */
  static String plain(String name) {
    StringBuilder plain = new StringBuilder(name.length());
    name.codePoints().filter(Character::isLetterOrDigit).forEach(plain::appendCodePoint);
    return plain.toString().toLowerCase(Locale.ROOT);
  }

  long mark(String name) {
    return marks.getOrDefault(plain(name), UNTOUCHED);
  }

  @Override
  boolean isEmpty() {
    return false;
  }

  @Override
  long root() {
    return UNTOUCHED;
  }

  @Override
  long member(long parent, int depth, byte[] text, int start, int end) {
    return mark(new String(text, start + 1, end - start - 2, StandardCharsets.UTF_8));
  }

  @Override
  long element(long parent, int depth, int index) {
    return parent;
  }

  @Override
  void scalar(long mark, Cursor c, int start) {
    if (c.out[start] == '"') {
      string(mark, c, start);
    } else if (mark == PHONE && isPhoneNumber(c, start)) {
      char[] digits = text(c, start).toCharArray();
      PhoneMask.maskExpected(digits);
      overwrite(c, start, Escapes.quote(new String(digits)));
    }
  }

  @Override
  boolean replace(Cursor c, int start) {
    overwrite(c, start, QUOTED);
    return true;
  }

  private static void string(long mark, Cursor c, int start) {
    String text = text(c, start);
    char[] seen = withoutEscapes(text);
    boolean masked = mark == PHONE ? PhoneMask.maskExpected(seen) : PhoneMask.mask(seen);
    if (masked) {
      StringBuilder result = new StringBuilder(text);
      for (int i = 0; i < seen.length; i++) {
        if (seen[i] == '*') {
          result.setCharAt(i, '*');
        }
      }
      overwrite(c, start, result.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Puts a line end for both characters of each escape, or its letter would join a word. */
  private static char[] withoutEscapes(String text) {
    char[] seen = text.toCharArray();
    for (int i = 0; i < seen.length; i++) {
      if (seen[i] == '\\') {
        int length = seen[i + 1] == 'u' ? 6 : 2;
        for (int end = i + length; i < end; i++) {
          seen[i] = '\n';
        }
        i--;
      }
    }
    return seen;
  }

  private static boolean isPhoneNumber(Cursor c, int start) {
    for (int i = start; i < c.length; i++) {
      if (c.out[i] < '0' || c.out[i] > '9') {
        return false;
      }
    }
    int digits = c.length - start;
    return digits >= MIN_PHONE_DIGITS && digits <= MAX_PHONE_DIGITS;
  }

  private static String text(Cursor c, int start) {
    return new String(c.out, start, c.length - start, StandardCharsets.UTF_8);
  }

  private static void overwrite(Cursor c, int start, byte[] text) {
    c.length = start;
    c.reserve(text.length + c.end - c.pos);
    System.arraycopy(text, 0, c.out, start, text.length);
    c.length += text.length;
  }
}
