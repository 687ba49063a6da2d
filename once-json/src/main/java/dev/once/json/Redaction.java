package dev.once.json;

import java.nio.charset.StandardCharsets;

/** Replaces sensitive members and masks phone numbers while one document is copied. */
final class Redaction extends Edits {
  static final String REPLACEMENT = "[redacted]";

  /** The mark of a value inside an object that has the name of a phone number. */
  private static final long BELOW_PHONE = 4;

  // A local number without its area may have seven digits; E.164 allows fifteen.
  private static final int MIN_PHONE_DIGITS = 7;
  private static final int MAX_PHONE_DIGITS = 15;
  private static final byte[] QUOTED = Escapes.quote(REPLACEMENT);

  private final NameRules rules;
  private final MaskedNames names = new MaskedNames();

  Redaction(NameRules rules) {
    this.rules = rules;
  }

  /** Returns the copied document, with masked names too. */
  byte[] result(Cursor c) {
    return names.applyTo(c.out, c.length);
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
    if (mayNeedMask(text, start + 1, end - 1)) {
      names.add(start + 1, end - 1);
    }
    String name = new String(text, start + 1, end - start - 2, StandardCharsets.UTF_8);
    long mark = rules.mark(JsonText.unescape(name));
    boolean below = parent == NameRules.PHONE || parent == BELOW_PHONE;
    return below && (mark == UNTOUCHED || mark == NameRules.REFERENCE) ? BELOW_PHONE : mark;
  }

  @Override
  long element(long parent, int depth, int index) {
    return parent;
  }

  @Override
  void scalar(long mark, Cursor c, int start) {
    if (c.out[start] == '"') {
      if (mayBePhone(c.out, start, c.length)) {
        string(mark, c, start);
      }
    } else if ((mark == NameRules.PHONE || mark == BELOW_PHONE) && isPhoneNumber(c, start)) {
      char[] digits = text(c, start, c.length).toCharArray();
      PhoneMask.maskExpected(digits);
      overwrite(c, start, Escapes.quote(new String(digits)));
    }
  }

  @Override
  boolean replace(Cursor c, int start) {
    names.forget(start);
    overwrite(c, start, QUOTED);
    return true;
  }

  private static void string(long mark, Cursor c, int start) {
    String text = text(c, start + 1, c.length - 1);
    String masked = JsonText.edit(text, seen -> mask(mark, seen));
    if (!masked.equals(text)) {
      overwrite(c, start, ('"' + masked + '"').getBytes(StandardCharsets.UTF_8));
    }
  }

  private static boolean mask(long mark, char[] text) {
    if (mark == NameRules.PHONE || (mark == BELOW_PHONE && PhoneMask.isAllPhone(text))) {
      return PhoneMask.maskExpected(text);
    }
    boolean kept = mark == NameRules.REFERENCE || mark == NameRules.QUANTITY;
    return !(kept && KnownShapes.isDigits(text)) && PhoneMask.mask(text);
  }

  /** Returns whether there are enough digits, or characters that may be digits of other scripts. */
  private static boolean mayBePhone(byte[] text, int start, int end) {
    int digits = 0;
    for (int i = start; i < end; i++) {
      digits += text[i] >= '0' && text[i] <= '9' ? 1 : 0;
      if (text[i] < 0 || digits == PhoneMask.MIN_DIGITS_WHERE_EXPECTED) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayNeedMask(byte[] name, int start, int end) {
    for (int i = start; i < end; i++) {
      if (name[i] == '*') {
        return true;
      }
    }
    return mayBePhone(name, start, end);
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

  private static String text(Cursor c, int start, int end) {
    return new String(c.out, start, end - start, StandardCharsets.UTF_8);
  }

  private static void overwrite(Cursor c, int start, byte[] text) {
    c.length = start;
    c.reserve(text.length + c.end - c.pos);
    System.arraycopy(text, 0, c.out, start, text.length);
    c.length += text.length;
  }
}
