package dev.once.json;

/**
 * Masks phone numbers in running text: every digit but the last two becomes an asterisk.
 *
 * <p>The text is read word by word. UUIDs and ISO 8601 times are stepped over, as is everything
 * that letters are part of; from any other digit, plus or bracket on, a {@link PhoneRun} gathers
 * the groups of digits that belong together and says which of them to mask.
 */
final class PhoneMask {
  private static final int MIN_DIGITS_WHERE_EXPECTED = 5;

  private PhoneMask() {}

  static String mask(String text) {
    char[] chars = text.toCharArray();
    return mask(chars) ? new String(chars) : text;
  }

  /** Masks what looks like a phone number; says whether there was any. */
  static boolean mask(char[] text) {
    boolean masked = false;
    int at = 0;
    while (at < text.length) {
      int end = KnownShapes.end(text, at);
      if (end > at) {
        at = end;
      } else if (startsRun(text, at)) {
        PhoneRun run = PhoneRun.read(text, at);
        masked |= run.mask();
        at = run.end();
      } else {
        at = isWord(text[at]) ? wordEnd(text, at) : at + 1;
      }
    }
    return masked;
  }

  /** Masks the digits of text that is known to be a phone number, however it is written. */
  static boolean maskExpected(char[] text) {
    int digits = 0;
    for (char c : text) {
      digits += Character.isDigit(c) ? 1 : 0;
    }
    if (digits < MIN_DIGITS_WHERE_EXPECTED) {
      return false;
    }
    maskDigits(text, 0, text.length);
    return true;
  }

  /** Masks all digits of a range but the last two: enough for a person to recognise their own. */
  static void maskDigits(char[] text, int start, int end) {
    int kept = 0;
    for (int i = end - 1; i >= start; i--) {
      if (Character.isDigit(text[i]) && ++kept > 2) {
        text[i] = '*';
      }
    }
  }

  static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private static boolean startsRun(char[] text, int at) {
    boolean opens = text[at] == '+' || text[at] == '(' || Character.isDigit(text[at]);
    int end = at;
    while (end < text.length && isWord(text[end]) && Character.isDigit(text[end])) {
      end++;
    }
    return opens && (end == text.length || !isWord(text[end]) || end == at);
  }

  /** The end of a word with letters in it, and of what hyphens tie to it: INV-2026-000123456. */
  private static int wordEnd(char[] text, int start) {
    int at = start;
    while (at < text.length
        && (isWord(text[at])
            || (text[at] == '-' && at + 1 < text.length && isWord(text[at + 1])))) {
      at++;
    }
    return at;
  }
}
