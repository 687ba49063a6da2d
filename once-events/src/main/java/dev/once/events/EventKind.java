package dev.once.events;

/** What an event says: that something is to be done, or that something happened. */
public enum EventKind {
  /** A request to change an aggregate. */
  COMMAND,
  /** A change of an aggregate. */
  EVENT
}
