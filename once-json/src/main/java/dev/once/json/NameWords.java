package dev.once.json;

import java.text.Normalizer;
import java.util.Arrays;

/**
 * A name as words in lower case: dbPassword, DB_PASSWORD and db-password are all "db" and
 * "password". A word ends before anything but a letter or digit, and before a capital that starts
 * another, as in APIToken. Accents are ignored.
 */
final class NameWords {
  // Decomposition expands some characters to eighteen, so long names are not normalized.
  private static final int MAX_NORMALIZED = 1_000;
  private static final int FIRST_WORDS = 8;

  private final StringBuilder text;
  private int[] starts = new int[FIRST_WORDS];
  private int count;

  private NameWords(int length) {
    text = new StringBuilder(length);
  }

  /**
   * Returns the words of {@code name}; without {@code digits}, digits separate words like
   * punctuation.
   */
  static NameWords of(String name, boolean digits) {
    String plain = withoutAccents(name);
    NameWords words = new NameWords(plain.length());
    boolean starts = true;
    int capitals = 0;
    for (int i = 0, c; i < plain.length(); i += Character.charCount(c)) {
      c = plain.codePointAt(i);
      if (Character.isLetter(c) || (digits && Character.isDigit(c))) {
        boolean upper = Character.isUpperCase(c) || Character.isTitleCase(c);
        if (starts || (upper && capitals == 0)) {
          words.start(words.text.length());
        } else if (Character.isLowerCase(c) && capitals > 1) {
          words.start(words.text.length() - 1); // the last capital begins this word
        }
        capitals = upper ? capitals + 1 : 0;
        words.text.appendCodePoint(Character.toLowerCase(c));
        starts = false;
      } else if (Character.getType(c) != Character.NON_SPACING_MARK) {
        starts = true;
        capitals = 0;
      }
    }
    return words;
  }

  /** Returns all words without separators. */
  String joined() {
    return text.toString();
  }

  int count() {
    return count;
  }

  /** Returns the words from {@code word} on, without separators. */
  String from(int word) {
    return text.substring(starts[word]);
  }

  int lengthFrom(int word) {
    return text.length() - starts[word];
  }

  String word(int word) {
    return word + 1 == count ? from(word) : text.substring(starts[word], starts[word + 1]);
  }

  private void start(int at) {
    // A capital beyond the basic plane is two chars long; its second half starts no word.
    if (count > 0 && at <= starts[count - 1]) {
      return;
    }
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
    }
    starts[count++] = at;
  }

  private static String withoutAccents(String name) {
    boolean may = name.length() <= MAX_NORMALIZED;
    return may && !name.chars().allMatch(c -> c < 128)
        ? Normalizer.normalize(name, Normalizer.Form.NFKD)
        : name;
  }
}
