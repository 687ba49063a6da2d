package dev.once.events;

/** How an event was settled. A source commits its offset unless it is {@link Open}. */
public sealed interface Settlement {
  Event event();

  /** Returns whether the event needs no further delivery. */
  default boolean isSettled() {
    return !(this instanceof Open);
  }

  /** The effect happened. */
  record Handled(Event event, int attempt, long fence) implements Settlement {}

  /** The event was handled, skipped or dead before. */
  record Duplicate(Event event, ProcessedState state) implements Settlement {}

  /** The event was ignored: its handler is at its sequence or further. */
  record Stale(Event event) implements Settlement {}

  /** The event was given up. */
  record Skipped(Event event, String reason) implements Settlement {}

  /** The event was given up and is in the {@link DeadLetterSink}. */
  record Dead(Event event, String reason) implements Settlement {}

  /** The consumer was closed before the event was settled: deliver it again, to any consumer. */
  record Open(Event event) implements Settlement {}
}
