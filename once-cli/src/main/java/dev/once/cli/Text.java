package dev.once.cli;

/** Text for a terminal. */
final class Text {
  private Text() {}

  /** Returns text in which nothing controls the terminal, or ends the line. */
  static String printable(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            it -> {
              if (isPrintable(it)) {
                out.appendCodePoint(it);
              } else {
                out.append("\\u{%x}".formatted(it));
              }
            });
    return out.toString();
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }
}
