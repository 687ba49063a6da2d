package dev.once.bench;

/** What a contestant says to somebody who wants an effect. */
sealed interface Reply {
  /** This call performed the effect. */
  record Executed(String answer) implements Reply {}

  /** An earlier call performed it, and this is what it returned. */
  record Replayed(String answer) implements Reply {}

  /** Another call is at it: ask again. */
  record Busy() implements Reply {}

  /** The key was used before. Whether the effect happened, and what it returned, is not known. */
  record Known() implements Reply {}
}
