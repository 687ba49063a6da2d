package dev.once.events;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All events of a store, in an order that never changes and in which each aggregate's events follow
 * their sequence. An event becomes visible when no event can come before it any more, so that a
 * reader never has to go back.
 */
public interface EventLog {
  /** The position before the first event. */
  String START = "";

  /** The number of events that one page may have; it ends early at about 16 MiB. */
  int MAX_PAGE = 10_000;

  /**
   * Returns up to {@code limit} events after a position.
   *
   * @param after {@link #START} or the {@link Page#next} of an earlier page
   */
  Page read(String after, int limit);

  /**
   * Returns events shortly before a position that may have come late, at most {@code maxKeys}. A
   * log that shows an event only when no event can come before it has none.
   */
  default List<Event> late(String position, Duration window, int maxKeys) {
    return List.of();
  }

  /**
   * Returns whether {@link #late} may find events. If not, a relay goes on after its position
   * without knowing which events it has published.
   */
  default boolean hasLateEvents() {
    return true;
  }

  /**
   * Returns when the oldest event was appended that is not visible yet, because a transaction or an
   * append that began before it has not ended.
   */
  Optional<Instant> heldSince();

  /**
   * A part of the log.
   *
   * @param events in order; empty if there are none after the position yet
   * @param next the position after them
   * @param isLast whether no further event was visible when the page was read. A log that does not
   *     know says it of an empty page alone.
   */
  record Page(List<Event> events, String next, boolean isLast) {
    public Page {
      events = List.copyOf(events);
    }

    public Page(List<Event> events, String next) {
      this(events, next, events.isEmpty());
    }
  }
}
