package dev.once.s3;

import dev.once.events.Event;
import java.util.Optional;

/**
 * A pointer as it was read, and what was at its place after that.
 *
 * @param etag the version of the pointer's object
 */
record StoredPointer(EventPointer pointer, String etag, PlaceContent content) {
  Optional<Event> event() {
    return content.found(pointer.eventId());
  }

  /**
   * Returns whether the event can be at {@code place} alone, so that the pointer may name it: an
   * event is at the pointer's place already, or never will be.
   */
  boolean mayMoveTo(Place place) {
    return pointer.place().isSameObject(place) || !(content instanceof PlaceContent.Empty);
  }
}
