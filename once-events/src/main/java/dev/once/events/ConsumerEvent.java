package dev.once.events;

import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** Something that happened in a consumer. */
public sealed interface ConsumerEvent {
  /** Returns the name of the handler. */
  String handler();

  /** An event was settled. */
  record Settled(String handler, Settlement settlement) implements ConsumerEvent {}

  /** An attempt failed; the next one follows after {@code delay}. */
  record Failed(String handler, Event event, int attempt, Duration delay, String reason)
      implements ConsumerEvent {}

  /** A claimed event was returned without an attempt, and is claimed again. */
  record Released(String handler, Event event, String reason) implements ConsumerEvent {}

  /** An event waits for an earlier one of its aggregate, or for another consumer that has it. */
  record Waiting(String handler, Event event, String reason) implements ConsumerEvent {}

  /** A lease was lost; the effect, if it ran, was interrupted. The event is claimed again. */
  record LeaseLost(String handler, Event event, long fence) implements ConsumerEvent {}

  /**
   * An attempt ended, but the registry could not be told as long as the lease lasted. The event is
   * claimed again after it.
   */
  record Unknown(String handler, Event event, long fence) implements ConsumerEvent {}

  /**
   * The source received what is no event, and the dead-letter topic has it. No handler sees it.
   *
   * @param place where the source has it, such as topic, partition and offset
   */
  record Unreadable(String handler, String place, String reason) implements ConsumerEvent {}

  /** The registry cannot be reached. */
  record OutageStarted(String handler, RegistryOutage policy, Exception cause)
      implements ConsumerEvent {}

  /** The registry can be reached again. */
  record OutageEnded(String handler) implements ConsumerEvent {}

  /** A consumer started without a registry; {@code lost} says which promises do not hold. */
  record RegistryDisabled(String handler, String lost) implements ConsumerEvent {}

  /** A background task failed. It will be tried again. */
  record Trouble(String handler, String what, Exception cause) implements ConsumerEvent {
    static Trouble of(String handler, String what, Throwable thrown) {
      return new Trouble(
          handler, what, thrown instanceof Exception it ? it : new ExecutionException(thrown));
    }
  }
}
