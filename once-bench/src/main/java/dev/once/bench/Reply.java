package dev.once.bench;

import java.util.Optional;

/** A contestant's reply to a caller. */
sealed interface Reply {
  /** This call performed the effect, and this is what it returned. */
  record Executed(String text) implements Reply {}

  /** An earlier call performed it, and this is what it returned. */
  record Replayed(String text) implements Reply {}

  /** Another call is executing: the caller may retry. */
  record Busy() implements Reply {}

  /** The key was used before. Whether the effect happened, and what it returned, is not known. */
  record Known() implements Reply {}

  default Optional<String> answer() {
    if (this instanceof Executed it) {
      return Optional.of(it.text);
    }
    return this instanceof Replayed it ? Optional.of(it.text) : Optional.empty();
  }

  /** Fails unless the reply is the one that the call was made for. */
  default void require(Class<? extends Reply> expected) {
    if (!expected.isInstance(this)) {
      throw new IllegalStateException(
          "the reply must be %s, got %s".formatted(expected.getSimpleName(), this));
    }
  }
}
