package dev.once.bench;

/** Hears how far a benchmark is, for whoever waits for it. */
@FunctionalInterface
interface Progress {
  void say(String line);

  default void say(String format, Object... values) {
    say(format.formatted(values));
  }
}
