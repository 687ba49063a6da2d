package dev.once.cli;

import java.util.Locale;

/**
 * What {@code ./once doctor} found about one thing.
 *
 * @param advice what to do; empty if nothing is to be done
 */
record Finding(Level level, String check, String what, String advice) {
  enum Level {
    OK,
    NOTE,
    PROBLEM
  }

  static Finding ok(String check, String what) {
    return new Finding(Level.OK, check, what, "");
  }

  static Finding note(String check, String what, String advice) {
    return new Finding(Level.NOTE, check, what, advice);
  }

  static Finding problem(String check, String what, String advice) {
    return new Finding(Level.PROBLEM, check, what, advice);
  }

  boolean isProblem() {
    return level == Level.PROBLEM;
  }

  String text() {
    String line = "%-8s%-12s%s".formatted(word(), check, Text.printable(what));
    return advice.isEmpty() ? line : line + "\n" + " ".repeat(20) + "-> " + advice;
  }

  JsonLine json() {
    JsonLine line = new JsonLine().put("level", word()).put("check", check).put("found", what);
    return advice.isEmpty() ? line : line.put("advice", advice);
  }

  private String word() {
    return level.name().toLowerCase(Locale.ROOT);
  }
}
