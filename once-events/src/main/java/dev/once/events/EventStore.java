package dev.once.events;

import dev.once.StoreException;
import java.util.List;
import java.util.Optional;

/**
 * The log of events. Thread-safe. One log belongs to one tenant: its schema or its bucket's prefix
 * separates it from others.
 */
public interface EventStore {
  /** The number of events that one call may read. */
  int MAX_PAGE = 1000;

  /**
   * Appends an event, unless an event with its id was appended before: a retry gets the first
   * event, with its sequence.
   *
   * @throws SequenceConflictException if {@code condition} does not hold; nothing was appended
   * @throws EventMismatchException if the id belongs to another event; nothing was appended
   * @throws StoreException if it is unknown whether it was appended: retry with the same id
   */
  Appended append(EventData event, AppendCondition condition);

  /** Appends an event with the next sequence of its aggregate. */
  default Appended append(EventData event) {
    return append(event, AppendCondition.ANY);
  }

  Optional<Event> find(String eventId);

  /** Returns up to {@code limit} events of an aggregate after a sequence, in order. */
  List<Event> read(Aggregate aggregate, long afterSequence, int limit);

  /**
   * Returns the sequence to expect in a next append after having read all events: that of the last
   * event, or of an abandoned append after it; 0 for a new aggregate.
   */
  long lastSequence(Aggregate aggregate);

  /** Returns the log in the order in which relays and rebuilds read it. */
  EventLog log();

  /** Replaces the snapshot of an aggregate, unless the stored one is of a later sequence. */
  void save(Snapshot snapshot);

  Optional<Snapshot> snapshot(Aggregate aggregate);
}
