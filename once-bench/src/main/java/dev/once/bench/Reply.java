package dev.once.bench;

/** A contestant's reply to a caller. */
sealed interface Reply {
  /** This call performed the effect. */
  record Executed(String answer) implements Reply {}

  /** An earlier call performed it, and this is what it returned. */
  record Replayed(String answer) implements Reply {}

  /** Another call is executing: the caller may retry. */
  record Busy() implements Reply {}

  /** The key was used before. Whether the effect happened, and what it returned, is not known. */
  record Known() implements Reply {}
}
