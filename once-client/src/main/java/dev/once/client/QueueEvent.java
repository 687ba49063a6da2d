package dev.once.client;

import java.time.Duration;

/** What happens in a queue, for a user interface. */
public sealed interface QueueEvent {
  /** An operation was stored. */
  record Enqueued(Operation operation) implements QueueEvent {}

  /** An operation is being sent. */
  record Sending(Operation operation, int attempt) implements QueueEvent {}

  /** An operation waits for its next attempt. */
  record Waiting(Operation operation, Duration pause, String reason) implements QueueEvent {}

  /** An operation is done, failed or dropped. */
  record Ended(QueuedOperation operation, boolean isReplayed) implements QueueEvent {}

  /** Nothing is sent until the credentials change. */
  record Parked(String reason) implements QueueEvent {}

  /** Servers answer again, or do not answer any more. */
  record Connectivity(boolean isOnline) implements QueueEvent {}

  /** The queue itself has trouble, with its file for example, and tries again. */
  record Trouble(String what, Throwable cause) implements QueueEvent {}
}
