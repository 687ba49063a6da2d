package dev.once.console;

/** Numbers as text: how many there are, or at least how many. */
final class Counts {
  private static final long MAX_SHOWN = 1_000;

  private Counts() {}

  /** Returns {@code 1000+} for more than a thousand: the exact number changes no decision. */
  static String text(long count, boolean isCut) {
    return count > MAX_SHOWN ? MAX_SHOWN + "+" : count + (isCut ? "+" : "");
  }
}
