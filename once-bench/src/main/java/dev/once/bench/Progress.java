package dev.once.bench;

/** Hears how far a benchmark is, for whoever waits for it. */
@FunctionalInterface
interface Progress {
  void say(String line);
}
