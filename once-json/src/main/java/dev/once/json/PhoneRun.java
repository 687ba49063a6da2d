package dev.once.json;

import java.util.Arrays;

/**
 * Groups of digits that one or two spaces, a dot, a hyphen, a slash or brackets connect, and the
 * decision whether they are a phone number. E.164 allows 15 digits; fewer than 9 are accepted only
 * after a plus, because dates, amounts and codes are that short.
 *
 * <p>An asterisk in place of a masked digit counts as a digit where the decision looks ahead.
 * Otherwise, masking one number could make the digits before it look like another.
 */
final class PhoneRun {
  private static final int MIN_DIGITS = 9;
  private static final int MIN_DIGITS_AFTER_PLUS = 7;
  private static final int MAX_DIGITS = 15;
  private static final int MAX_DIGITS_AFTER_ZEROS = 17;
  private static final int FIRST_GROUPS = 8;
  private static final int MAX_FRACTION_DIGITS = 6;
  private static final int MIN_AREA_DIGITS = 3;
  private static final int MAX_DIGITS_BEFORE_SLASH = 8;

  private final char[] text;
  private final int start;
  private int[] starts = new int[FIRST_GROUPS];
  private int[] ends = new int[FIRST_GROUPS];
  private int groups;
  private int digits;
  private int end;
  private boolean plus;
  private boolean tied;
  private boolean dots;
  private boolean spaces;
  private boolean others;
  private boolean slash;

  private PhoneRun(char[] text, int start) {
    this.text = text;
    this.start = start;
    this.end = start + 1;
  }

  /** Collects the groups from {@code start} on, where a digit, a plus or a bracket is. */
  static PhoneRun read(char[] text, int start) {
    PhoneRun run = new PhoneRun(text, start);
    int at = start;
    while (at < text.length && (text[at] == '(' || text[at] == '+') && at - start < 3) {
      run.plus |= text[at] == '+';
      at++;
    }
    boolean known = at < text.length && KnownShapes.end(text, at) > at;
    while (!known && run.addGroup(at)) {
      at = run.afterSeparator();
    }
    return run;
  }

  /** Returns where reading continues after this run. */
  int end() {
    return end;
  }

  /** Masks the phone numbers in this run; returns whether there are any. */
  boolean mask() {
    if (groups == 0 || (tied && !plus) || followsWord() || isDecimal()) {
      return false;
    }
    boolean international = isInternational();
    if (international || (digits >= MIN_DIGITS && digits <= MAX_DIGITS && !isOtherNumber())) {
      PhoneMask.maskDigits(text, start, end);
      return true;
    }
    return digits > MAX_DIGITS && maskList();
  }

  private boolean isInternational() {
    boolean zeros = text[starts[0]] == '0' && ends[0] - starts[0] > 1 && text[starts[0] + 1] == '0';
    return (plus && digits >= MIN_DIGITS_AFTER_PLUS)
        || (zeros && digits > MIN_DIGITS && digits <= MAX_DIGITS_AFTER_ZEROS);
  }

  /** Masks several numbers with one space between them: long groups, or nothing but pairs. */
  private boolean maskList() {
    boolean pairs = true;
    boolean masked = false;
    for (int i = 0; i < groups; i++) {
      int length = ends[i] - starts[i];
      pairs &= length == 2;
      if (length >= MIN_DIGITS && length <= MAX_DIGITS) {
        PhoneMask.maskDigits(text, starts[i], ends[i]);
        masked = true;
      }
    }
    if (pairs) {
      PhoneMask.maskDigits(text, start, end);
    }
    return masked || pairs;
  }

  private boolean addGroup(int at) {
    int to = at;
    while (to < text.length && Character.isDigit(text[to])) {
      to++;
    }
    if (to == at) {
      return false;
    }
    if (!PhoneMask.endsNumber(text, to)) {
      tied |= at > 0 && text[at - 1] == '-'; // the middle of an identifier
      return false;
    }
    if (groups == starts.length) {
      starts = Arrays.copyOf(starts, groups * 2);
      ends = Arrays.copyOf(ends, groups * 2);
    }
    starts[groups] = at;
    ends[groups] = to;
    groups++;
    digits += to - at;
    end = to;
    return true;
  }

  /**
   * Returns the position of the digit after one separator, or the end of the text if no group
   * follows.
   */
  private int afterSeparator() {
    int at = end;
    if (at < text.length && text[at] == ')') {
      others = true;
      at++;
    }
    int separator = at;
    at = pastSlash(at);
    if (at == separator && at < text.length && isSeparator(text[at])) {
      at += isSpaceAt(at) && isSpaceAt(at + 1) ? 2 : 1;
    }
    if (at < text.length && text[at] == '(') {
      at++;
    }
    boolean follows = at > end && at < text.length && Character.isDigit(text[at]);
    if (!follows || KnownShapes.end(text, at) > at) {
      tied |= at > end && text[end] == '-' && at < text.length && PhoneMask.isWord(text[at]);
      return text.length;
    }
    note(text[separator]);
    return at;
  }

  private void note(char separator) {
    dots |= separator == '.';
    spaces |= Character.isSpaceChar(separator);
    others |= separator != '.' && !Character.isSpaceChar(separator);
  }

  /**
   * Returns the position after the slash in 0171/1234567 or 0171 / 1234567; any other slash belongs
   * to a date or path.
   */
  private int pastSlash(int at) {
    int stroke = isSpaceAt(at) ? at + 1 : at;
    boolean area = text[starts[0]] == '0' && ends[0] - starts[0] >= MIN_AREA_DIGITS;
    boolean taken = !slash && digits <= MAX_DIGITS_BEFORE_SLASH && (plus || area);
    if (!taken || stroke >= text.length || text[stroke] != '/') {
      return at;
    }
    slash = true;
    others = true;
    return isSpaceAt(stroke + 1) ? stroke + 2 : stroke + 1;
  }

  private boolean isSpaceAt(int at) {
    return at < text.length && Character.isSpaceChar(text[at]);
  }

  private static boolean isSeparator(char c) {
    return c == '.' || Character.isSpaceChar(c) || isHyphen(c);
  }

  static boolean isHyphen(char c) {
    return c == '-' || (c >= '\u2010' && c <= '\u2015');
  }

  /** Returns whether this is the rest of 1e+123456789 or of f(123456789). */
  private boolean followsWord() {
    char before = start > 0 ? text[start - 1] : ' ';
    boolean exponent =
        (before == 'e' || before == 'E') && start > 1 && Character.isDigit(text[start - 2]);
    return text[start] == '+' ? exponent : PhoneMask.isWord(before);
  }

  /**
   * Returns whether this is 1234567890.50, 1234567890,50 or -1234567890, and not a list with
   * commas.
   */
  private boolean isDecimal() {
    if (plus) {
      return false;
    }
    boolean point = groups == 2 && dots && !others;
    boolean minus = groups == 1 && start > 0 && text[start - 1] == '-';
    int fraction = 0;
    while (fraction <= MAX_FRACTION_DIGITS && isDigitOrMaskAt(end + 1 + fraction)) {
      fraction++;
    }
    boolean comma = end < text.length && text[end] == ',';
    return point || minus || (comma && fraction > 0 && fraction <= MAX_FRACTION_DIGITS);
  }

  private boolean isDigitOrMaskAt(int at) {
    return at < text.length && (Character.isDigit(text[at]) || text[at] == '*');
  }

  private boolean isOtherNumber() {
    if (groups == 1) {
      return KnownShapes.isUnixMillis(text, starts[0], ends[0])
          || KnownShapes.isCompactTime(text, starts[0], ends[0]);
    }
    boolean address = dots && !others && groups == 4 && longestGroup() <= 3;
    boolean pairOfDecimals = dots && spaces && !others;
    return address || pairOfDecimals || (!others && isThousands());
  }

  /**
   * Returns whether this is 1 250 000 000 or 1.250.000; three groups of three with spaces are a
   * phone number.
   */
  private boolean isThousands() {
    int first = ends[0] - starts[0];
    boolean threes = first <= 3 && text[starts[0]] != '0';
    for (int i = 1; i < groups; i++) {
      threes &= ends[i] - starts[i] == 3;
    }
    return threes && (dots || first < 3 || groups > 3);
  }

  private int longestGroup() {
    int longest = 0;
    for (int i = 0; i < groups; i++) {
      longest = Math.max(longest, ends[i] - starts[i]);
    }
    return longest;
  }
}
