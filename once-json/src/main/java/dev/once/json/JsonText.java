package dev.once.json;

import java.util.Arrays;
import java.util.function.Predicate;

/** The text between the quotes of a string in its canonical spelling. */
final class JsonText {
  private static final String ESCAPED = "bfnrt";
  private static final String MEANT = "\b\f\n\r\t";

  private JsonText() {}

  /**
   * Copies the asterisks that {@code masker} puts into the text's characters. The masker sees a
   * line feed in place of each character of an escape, as the escape's letter would join a word.
   */
  static String edit(String text, Predicate<char[]> masker) {
    char[] seen = withoutEscapes(text);
    if (!masker.test(seen)) {
      return text;
    }
    StringBuilder result = new StringBuilder(text);
    for (int i = 0; i < seen.length; i++) {
      if (seen[i] == '*') {
        result.setCharAt(i, '*');
      }
    }
    return result.toString();
  }

  /** Returns the unescaped text. */
  static String unescape(String text) {
    int escape = text.indexOf('\\');
    if (escape < 0) {
      return text;
    }
    StringBuilder result = new StringBuilder(text.length());
    int copied = 0;
    for (; escape >= 0; escape = text.indexOf('\\', copied)) {
      char kind = text.charAt(escape + 1);
      int known = ESCAPED.indexOf(kind);
      result.append(text, copied, escape);
      copied = escape + 2;
      if (kind == 'u') {
        result.append((char) Integer.parseInt(text, copied, copied + 4, 16));
        copied += 4;
      } else {
        result.append(known < 0 ? kind : MEANT.charAt(known));
      }
    }
    return result.append(text, copied, text.length()).toString();
  }

  private static char[] withoutEscapes(String text) {
    char[] seen = text.toCharArray();
    int i = 0;
    while (i < seen.length) {
      int end = i + (seen[i] != '\\' ? 1 : seen[i + 1] == 'u' ? 6 : 2);
      if (seen[i] == '\\') {
        Arrays.fill(seen, i, end, '\n');
      }
      i = end;
    }
    return seen;
  }
}
