package dev.once.json;

/**
 * Masks phone numbers in running text: every digit but the last two becomes an asterisk.
 *
 * <p>The text is read word by word. UUIDs, dates, times and words with letters are skipped. From
 * any other digit, plus or bracket on, a {@link PhoneRun} collects the groups of digits that belong
 * together and decides which of them to mask.
 */
final class PhoneMask {
  static final int MIN_DIGITS_WHERE_EXPECTED = 5;

  private static final int MAX_EXTENSION_DIGITS = 6;
  private static final String PHONE_PUNCTUATION = "+-./()#*";

  private PhoneMask() {}

  static String mask(String text) {
    char[] chars = text.toCharArray();
    return mask(chars) ? new String(chars) : text;
  }

  /** Masks everything that looks like a phone number; returns whether there was any. */
  static boolean mask(char[] text) {
    if (KnownShapes.isUnixTime(text)) {
      return false;
    }
    boolean masked = false;
    int at = 0;
    while (at < text.length) {
      int end = KnownShapes.end(text, at);
      if (end > at) {
        at = end;
      } else if (startsRun(text, at)) {
        PhoneRun run = PhoneRun.read(text, at);
        // A masked run is read again: between the numbers of a list there may be another.
        boolean found = run.mask();
        masked |= found;
        at = found ? at : run.end();
      } else {
        at = isWord(text[at]) ? wordEnd(text, at) : at + 1;
      }
    }
    return masked;
  }

  /** Masks the digits of text that is known to be a phone number, in any format. */
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

  /**
   * Returns whether the text has only characters of a phone number and is not a UUID, date or time.
   */
  static boolean isAllPhone(char[] text) {
    for (char c : text) {
      if (!Character.isDigit(c)
          && !Character.isSpaceChar(c)
          && PHONE_PUNCTUATION.indexOf(c) < 0
          && !PhoneRun.isHyphen(c)) {
        return false;
      }
    }
    return !KnownShapes.isWhole(text);
  }

  /** Masks all digits of a range but the last two, by which a user can recognise a number. */
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

  /**
   * Returns whether digits that end at {@code at} are a word, apart from an extension: x12, ext.12.
   */
  static boolean endsNumber(char[] text, int at) {
    return at == text.length || !isWord(text[at]) || hasExtension(text, at);
  }

  private static boolean hasExtension(char[] text, int at) {
    int from = at + 1;
    if (text[at] == 'e' || text[at] == 'E') {
      boolean ext = at + 2 < text.length && String.valueOf(text, at, 3).equalsIgnoreCase("ext");
      from = ext ? at + 3 : text.length;
    } else if (text[at] != 'x' && text[at] != 'X') {
      return false;
    }
    from += from < text.length && text[from] == '.' ? 1 : 0;
    int end = from;
    while (end < text.length && end - from <= MAX_EXTENSION_DIGITS && isDigit(text[end])) {
      end++;
    }
    boolean few = end > from && end - from <= MAX_EXTENSION_DIGITS;
    return few && (end == text.length || !isWord(text[end]));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean startsRun(char[] text, int at) {
    boolean opens = text[at] == '+' || text[at] == '(' || Character.isDigit(text[at]);
    int end = at;
    while (end < text.length && Character.isDigit(text[end])) {
      end++;
    }
    return opens && (end == at || endsNumber(text, end));
  }

  /**
   * Returns the end of a word with letters, including the parts that hyphens join:
   * INV-2026-000123456.
   */
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
