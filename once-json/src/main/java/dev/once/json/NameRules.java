package dev.once.json;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Classifies a value by its name. The longest sequence of last words that is a known name decides,
 * in singular or plural: userPassword is a password, and token_count is a count.
 */
final class NameRules {
  /** The mark of a value that is a phone number, or of an array of such. */
  static final long PHONE = 1;

  /** The mark of a value for which digits alone are not a phone number. */
  static final long REFERENCE = 2;

  /** The mark of a time or an amount; differs from a reference only below a phone. */
  static final long QUANTITY = 3;

  /** First words of yes-or-no names: the value of has_password is not a password. */
  private static final Set<String> QUESTIONS = Set.of("is", "has", "needs", "requires");

  /** Words before a plural that make it a count: the value of total_tokens is not a token. */
  private static final Set<String> COUNTS =
      Set.of(
          "max",
          "min",
          "num",
          "total",
          "used",
          "remaining",
          "prompt",
          "completion",
          "input",
          "output");

  private final Map<String, Long> marks;
  private final int longest;

  NameRules(Map<String, Long> marks) {
    this.marks = Map.copyOf(marks);
    this.longest = marks.keySet().stream().mapToInt(String::length).max().orElse(0);
  }

  /** Returns the marks of the known names, before those of the builder are added. */
  static Map<String, Long> known() {
    Map<String, Long> marks = new HashMap<>();
    KnownNames.QUANTITIES.forEach(name -> marks.put(plain(name), QUANTITY));
    KnownNames.REFERENCES.forEach(name -> marks.put(plain(name), REFERENCE));
    KnownNames.PHONES.forEach(name -> marks.put(plain(name), PHONE));
    KnownNames.SENSITIVE.forEach(name -> marks.put(plain(name), Edits.WHOLE));
    return marks;
  }

  /** Returns the form in which names are compared: apiKey, API_KEY and api-key are equal. */
  static String plain(String name) {
    return NameWords.of(name, true).joined();
  }

  /** Returns the mark of a value with this name, or {@link Edits#UNTOUCHED}. */
  long mark(String name) {
    long mark = mark(NameWords.of(name, true));
    boolean digits = mark == Edits.UNTOUCHED && name.codePoints().anyMatch(Character::isDigit);
    return digits ? mark(NameWords.of(name, false)) : mark;
  }

  private long mark(NameWords words) {
    long mark = Edits.UNTOUCHED;
    for (int first = words.count() - 1; first >= 0; first--) {
      if (words.lengthFrom(first) > longest + 1) {
        break;
      }
      long found = mark(words, first);
      mark = found == Edits.UNTOUCHED ? mark : found;
    }
    return mark;
  }

  private long mark(NameWords words, int first) {
    String name = words.from(first);
    Long mark = marks.get(name);
    boolean plural = mark == null && name.endsWith("s");
    if (plural) {
      mark = marks.get(name.substring(0, name.length() - 1));
    }
    if (mark == null || (mark == Edits.WHOLE && isAbout(words, first, plural))) {
      return Edits.UNTOUCHED;
    }
    return mark;
  }

  /**
   * Returns whether the preceding words show that the value describes a secret without being one.
   */
  private static boolean isAbout(NameWords words, int first, boolean plural) {
    return first > 0
        && (QUESTIONS.contains(words.word(0))
            || (plural && COUNTS.contains(words.word(first - 1))));
  }
}
