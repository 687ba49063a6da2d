package dev.once.events;

import dev.once.internal.Limits;
import java.time.Instant;

/**
 * An appended event.
 *
 * @param sequence its place among the events of its aggregate, from 1 on. A number may be missing
 *     where an append was abandoned.
 * @param time when it was appended, by the clock of the store's database
 */
public record Event(EventData content, long sequence, Instant time) {
  public Event {
    Limits.range("sequence", sequence, 1, Long.MAX_VALUE);
  }

  public String id() {
    return content.id();
  }

  public Aggregate aggregate() {
    return content.aggregate();
  }

  @Override
  public String toString() {
    return content + ", sequence " + sequence;
  }
}
