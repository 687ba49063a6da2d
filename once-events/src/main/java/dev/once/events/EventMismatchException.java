package dev.once.events;

import dev.once.Fingerprint;
import dev.once.OnceException;

/** Nothing was appended, because the event's id belongs to an event that says something else. */
public final class EventMismatchException extends OnceException {
  private static final long serialVersionUID = 1L;

  private final transient Fingerprint first;
  private final transient Fingerprint second;

  public EventMismatchException(String eventId, Fingerprint first, Fingerprint second) {
    super(
        "event %s was appended with %s and cannot be appended with %s: use a new id"
            .formatted(eventId, first, second),
        null);
    this.first = first;
    this.second = second;
  }

  /** Returns the fingerprint of the event that has the id. */
  public Fingerprint first() {
    return first;
  }

  /** Returns the fingerprint of the event that was refused. */
  public Fingerprint second() {
    return second;
  }
}
