package dev.once.s3;

import dev.once.Fingerprint;
import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.EventData;
import dev.once.events.internal.ReserveResult;
import java.time.Instant;

/** Decides which place an event gets, and up to which time the log can be read. */
interface PlaceAllocator {
  /** Reserves a place, or returns the one that the event has already. */
  ReserveResult reserve(EventData event, Fingerprint fingerprint, AppendCondition condition);

  /** Ends a reservation: there is an event or a marker at its place. */
  void release(String eventId, Place place);

  /** Ends a reservation for an event that was appended at another place. */
  void discard(EventData event, Place place);

  /** Returns the last sequence of an aggregate up to which all places are settled. */
  long lastSequence(Aggregate aggregate);

  /** Returns whether a sequence may be missing because its event is about to be written. */
  boolean leavesOpenPlaces();

  /** Returns the time before which all places of the log are settled. */
  Instant settledBefore();
}
