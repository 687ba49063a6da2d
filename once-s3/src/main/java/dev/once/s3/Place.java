package dev.once.s3;

import dev.once.events.Event;
import dev.once.events.internal.Reservation;
import java.time.Instant;

/**
 * Where an event is in the log.
 *
 * @param aggregate the key of its aggregate
 * @param sequence its sequence there
 * @param time the time under which it is in the index
 */
record Place(String aggregate, long sequence, Instant time) {
  static Place of(Reservation reservation) {
    return new Place(reservation.aggregate(), reservation.sequence(), reservation.time());
  }

  static Place of(Event event) {
    return new Place(event.aggregate().key(), event.sequence(), event.time());
  }

  /** Returns whether an event at the other place would be the same object. */
  boolean isSameObject(Place other) {
    return sequence == other.sequence && aggregate.equals(other.aggregate);
  }

  Reservation reservedBy(String eventId) {
    return new Reservation(eventId, aggregate, sequence, time);
  }
}
