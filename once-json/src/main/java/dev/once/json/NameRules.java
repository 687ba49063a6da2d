package dev.once.json;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Tells from a name what its value is. The longest run of last words that is a known name decides,
 * in singular or plural: userPassword is a password, and token_count is a count.
 */
final class NameRules {
  /** The mark of a value that is a phone number, or of an array of such. */
  static final long PHONE = 1;

  /** The mark of a value for which digits alone are no phone number. */
  static final long REFERENCE = 2;

  /** The mark of a time or an amount; differs from a reference only below a phone. */
  static final long QUANTITY = 3;

  /** has_password has none in it. */
  private static final Set<String> QUESTIONS = Set.of("is", "has", "needs", "requires");

  /** total_tokens says how many. */
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

  /** What is known of names before anyone adds to it. */
  static Map<String, Long> known() {
    Map<String, Long> marks = new HashMap<>();
    KnownNames.QUANTITIES.forEach(name -> marks.put(plain(name), QUANTITY));
    KnownNames.REFERENCES.forEach(name -> marks.put(plain(name), REFERENCE));
    KnownNames.PHONES.forEach(name -> marks.put(plain(name), PHONE));
    KnownNames.SENSITIVE.forEach(name -> marks.put(plain(name), Edits.WHOLE));
    return marks;
  }

  /** The form in which names are compared: apiKey, API_KEY and api-key are one. */
  static String plain(String name) {
    return NameWords.of(name, true).joined();
  }

  /** What is known of a value of this name, or {@link Edits#UNTOUCHED}. */
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

  /** Whether the words in front say that this tells of a secret without being one. */
  private static boolean isAbout(NameWords words, int first, boolean plural) {
    return first > 0
        && (QUESTIONS.contains(words.word(0))
            || (plural && COUNTS.contains(words.word(first - 1))));
  }
}
