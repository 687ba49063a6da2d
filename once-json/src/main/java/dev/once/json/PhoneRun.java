package dev.once.json;

/**
 * Groups of digits that single spaces, dots, hyphens or brackets hold together, and the judgement
 * whether they are a phone number. E.164 allows 15 digits; fewer than 9 are only believed after a
 * plus, since dates, amounts and codes are that short.
 */
final class PhoneRun {
  private static final int MIN_DIGITS = 9;
  private static final int MIN_DIGITS_AFTER_PLUS = 7;
  private static final int MAX_DIGITS = 15;
  private static final int MAX_DIGITS_AFTER_ZEROS = 17;
  private static final int MAX_GROUPS = 32;
  private static final int MAX_FRACTION_DIGITS = 6;
  private static final int EPOCH_MILLIS_DIGITS = 13;

  private final char[] text;
  private final int start;
  private final int[] starts = new int[MAX_GROUPS];
  private final int[] ends = new int[MAX_GROUPS];
  private int groups;
  private int digits;
  private int end;
  private boolean plus;
  private boolean tied;
  private boolean dots;
  private boolean spaces;
  private boolean others;

  private PhoneRun(char[] text, int start) {
    this.text = text;
    this.start = start;
    this.end = start + 1;
  }

  /** Gathers the groups from {@code start} on, where a digit, a plus or a bracket is. */
  static PhoneRun read(char[] text, int start) {
    PhoneRun run = new PhoneRun(text, start);
    int at = start;
    while (at < text.length && (text[at] == '(' || text[at] == '+') && at - start < 3) {
      run.plus |= text[at] == '+';
      at++;
    }
    while (run.addGroup(at)) {
      at = run.afterSeparator();
    }
    run.dropHour();
    return run;
  }

  /** Where reading goes on after this run. */
  int end() {
    return end;
  }

  /** Masks the phone numbers in this run; says whether there are any. */
  boolean mask() {
    if (groups == 0 || tied || followsWord() || isDecimal()) {
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

  /** Several numbers with one space between them: long groups, or nothing but pairs. */
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
    if (to == at || groups == MAX_GROUPS) {
      return false;
    }
    if (to < text.length && PhoneMask.isWord(text[to])) {
      tied = text[at - 1] == '-'; // the middle of an identifier
      return false;
    }
    starts[groups] = at;
    ends[groups] = to;
    groups++;
    digits += to - at;
    end = to;
    return true;
  }

  /** The digit after one separator, or the end of the text if no group follows. */
  private int afterSeparator() {
    int at = end;
    if (at < text.length && text[at] == ')') {
      others = true;
      at++;
    }
    int separator = at;
    if (at < text.length && isSeparator(text[at])) {
      at++;
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

  private static boolean isSeparator(char c) {
    return c == '.' || c == '-' || Character.isSpaceChar(c) || (c >= '\u2010' && c <= '\u2015');
  }

  /** Gives back a last group that is the hour of a time: 01-11-2026 08:30. */
  private void dropHour() {
    if (groups > 0 && hasDigitAfter(':')) {
      groups--;
      digits -= ends[groups] - starts[groups];
      end = groups == 0 ? end : ends[groups - 1];
    }
  }

  /** Whether this is the rest of 1e+123456789 or of 08:30:00. */
  private boolean followsWord() {
    char before = start > 0 ? text[start - 1] : ' ';
    boolean time = before == ':' && start > 1 && Character.isDigit(text[start - 2]);
    return PhoneMask.isWord(before) || time;
  }

  /** 1234567890.50, 1234567890,50 and -1234567890, but not a list with commas. */
  private boolean isDecimal() {
    if (plus) {
      return false;
    }
    boolean point = groups == 2 && dots && !others;
    boolean minus = groups == 1 && start > 0 && text[start - 1] == '-';
    int fraction = 0;
    for (int i = end + 1; i < text.length && Character.isDigit(text[i]); i++) {
      fraction++;
    }
    return point || minus || (hasDigitAfter(',') && fraction <= MAX_FRACTION_DIGITS);
  }

  private boolean hasDigitAfter(char c) {
    return end + 1 < text.length && text[end] == c && Character.isDigit(text[end + 1]);
  }

  private boolean isOtherNumber() {
    if (groups == 1) {
      boolean millis = digits == EPOCH_MILLIS_DIGITS && text[starts[0]] == '1';
      return millis || KnownShapes.isCompactTime(text, starts[0], ends[0]);
    }
    boolean address = dots && !others && groups == 4 && longestGroup() <= 3;
    boolean pairOfDecimals = dots && spaces && !others;
    return address || pairOfDecimals || (!others && isThousands());
  }

  /** 1 250 000 000 or 1.250.000: but three groups of three with spaces are a phone number. */
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
