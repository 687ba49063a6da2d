package dev.once.console;

/** Text from outside, for one line of a log. */
final class LogText {
  private LogText() {}

  static String of(String text) {
    StringBuilder line = new StringBuilder("\"");
    text.codePoints()
        .map(it -> Character.isISOControl(it) || it == '"' || isSeparator(it) ? '?' : it)
        .forEach(line::appendCodePoint);
    return line.append('"').toString();
  }

  private static boolean isSeparator(int character) {
    int type = Character.getType(character);
    return type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR;
  }
}
