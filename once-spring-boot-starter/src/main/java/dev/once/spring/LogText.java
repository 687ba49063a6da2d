package dev.once.spring;

/**
 * Writes a value into a line so that it ends where it seems to end, and never starts a new line.
 */
final class LogText {
  private LogText() {}

  /** Returns the value, in quotes if it is empty or has other characters than those of a word. */
  static String of(String value) {
    return !value.isEmpty() && value.chars().allMatch(LogText::isPlain) ? value : quote(value);
  }

  private static boolean isPlain(int c) {
    return c > ' ' && c != '"' && c != '=' && c != '\\' && !breaksLine(c);
  }

  private static boolean breaksLine(int c) {
    return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
  }

  private static String quote(String value) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (breaksLine(c)) {
        quoted.append("\\u%04x".formatted((int) c));
      } else if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
