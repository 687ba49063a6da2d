package dev.once.bench;

/** Reports how far a benchmark is. */
@FunctionalInterface
interface Progress {
  void say(String line);
}
