package dev.once.json;

/** Recognises UUIDs, dates and times, which have as many digits as a phone number. */
final class KnownShapes {
  private static final String UUID = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  private static final String DATE = "dddd-dd-dd";
  private static final String DATE_WITH_SLASHES = "dd/dd/dddd";
  private static final String TIME = "dd:dd";
  private static final String SECONDS = ":dd";
  private static final int COMPACT_TIME_DIGITS = 14;
  private static final int UNIX_SECONDS_DIGITS = 10;
  private static final int UNIX_MILLIS_DIGITS = 13;

  private KnownShapes() {}

  /**
   * Returns the end of a UUID, a date, a time of day or both, or {@code at} if none starts there.
   */
  static int end(char[] text, int at) {
    if (Character.digit(text[at], 16) < 0) {
      return at;
    }
    if (fits(text, at, UUID)) {
      return wordEndsAt(text, at + UUID.length()) ? at + UUID.length() : at;
    }
    boolean date = isDate(text, at) && wordOrTimeAt(text, at + DATE.length());
    return date ? timeEnd(text, at + DATE.length()) : clockEnd(text, at);
  }

  /** Returns whether the text is a UUID, a date or a time, and nothing else. */
  static boolean isWhole(char[] text) {
    return text.length > 0 && end(text, 0) == text.length;
  }

  /** Returns whether the text is digits and nothing else. */
  static boolean isDigits(char[] text) {
    for (char c : text) {
      if (c < '0' || c > '9') {
        return false;
      }
    }
    return text.length > 0;
  }

  /**
   * Returns whether the text is a time in seconds since 1970, from 2001 to 2033, or in
   * milliseconds.
   */
  static boolean isUnixTime(char[] text) {
    boolean seconds = text.length == UNIX_SECONDS_DIGITS;
    return (seconds || text.length == UNIX_MILLIS_DIGITS) && text[0] == '1' && isDigits(text);
  }

  /** Returns whether the digits are a time in milliseconds since 1970. */
  static boolean isUnixMillis(char[] text, int start, int end) {
    return end - start == UNIX_MILLIS_DIGITS && text[start] == '1';
  }

  /** Returns whether the digits are a time as yyyyMMddHHmmss. */
  static boolean isCompactTime(char[] text, int start, int end) {
    return end - start == COMPACT_TIME_DIGITS
        && (number(text, start) == 19 || number(text, start) == 20)
        && isDay(text, start + 4, start + 6)
        && number(text, start + 8) < 24
        && number(text, start + 10) < 60
        && number(text, start + 12) < 61;
  }

  /** Returns whether 2026-11-01, 01/11/2026 or 11/01/2026 starts here; all have the same length. */
  private static boolean isDate(char[] text, int at) {
    if (fits(text, at, DATE)) {
      return isDay(text, at + 5, at + 8);
    }
    return fits(text, at, DATE_WITH_SLASHES)
        && (number(text, at + 6) == 19 || number(text, at + 6) == 20)
        && (isDay(text, at, at + 3) || isDay(text, at + 3, at));
  }

  /** Returns the end of 8:30, 08:30 or 08:30:00.123, or {@code at} if none starts there. */
  private static int clockEnd(char[] text, int at) {
    int hour = fits(text, at, TIME) ? at + 2 : at + 1;
    if (!fits(text, hour, SECONDS) || !Character.isDigit(text[at])) {
      return at;
    }
    int end = hour + SECONDS.length();
    if (fits(text, end, SECONDS) && !isDigitAt(text, end + SECONDS.length())) {
      end += SECONDS.length();
      int fraction = end;
      while (isDigitAt(text, fraction + 1) && (text[end] == '.' || text[end] == ',')) {
        fraction++;
      }
      end = fraction == end ? end : fraction + 1;
    }
    return isDigitAt(text, end) ? at : end;
  }

  private static boolean isDigitAt(char[] text, int at) {
    return at < text.length && Character.isDigit(text[at]);
  }

  private static int timeEnd(char[] text, int at) {
    boolean separated = at < text.length && (text[at] == 'T' || text[at] == 't' || text[at] == ' ');
    if (!separated || !fits(text, at + 1, TIME)) {
      return at;
    }
    int end = at + 1 + TIME.length();
    while (end < text.length && isTimeChar(text[end])) {
      end++;
    }
    // A sentence may end right after the time.
    return text[end - 1] == '.' || text[end - 1] == '-' || text[end - 1] == '+' ? end - 1 : end;
  }

  private static boolean isTimeChar(char c) {
    return (c >= '0' && c <= '9') || c == ':' || c == '.' || c == '+' || c == '-' || c == 'Z';
  }

  private static boolean isDay(char[] text, int month, int day) {
    int m = number(text, month);
    int d = number(text, day);
    return m >= 1 && m <= 12 && d >= 1 && d <= 31;
  }

  private static int number(char[] text, int at) {
    return Character.digit(text[at], 10) * 10 + Character.digit(text[at + 1], 10);
  }

  private static boolean wordOrTimeAt(char[] text, int at) {
    return wordEndsAt(text, at) || text[at] == 'T' || text[at] == 't';
  }

  private static boolean wordEndsAt(char[] text, int at) {
    return at == text.length || !PhoneMask.isWord(text[at]);
  }

  /**
   * Returns whether the text has hex digits for x, decimal digits for d, and every other character
   * unchanged.
   */
  private static boolean fits(char[] text, int at, String shape) {
    if (text.length - at < shape.length()) {
      return false;
    }
    for (int i = 0; i < shape.length(); i++) {
      char c = text[at + i];
      boolean fits =
          switch (shape.charAt(i)) {
            case 'x' -> c < 128 && Character.digit(c, 16) >= 0;
            case 'd' -> c >= '0' && c <= '9';
            default -> c == shape.charAt(i);
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }
}
