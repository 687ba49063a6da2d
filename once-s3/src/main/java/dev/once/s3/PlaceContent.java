package dev.once.s3;

import dev.once.events.Event;
import java.util.Optional;

/** What is at a place of the log. */
sealed interface PlaceContent {
  /** Nothing yet: an append may be about to write there. */
  record Empty() implements PlaceContent {}

  /** A marker: no event will ever be there. */
  record Abandoned() implements PlaceContent {}

  record Written(Event event) implements PlaceContent {}

  /** Returns the event that is there. */
  default Optional<Event> found() {
    return this instanceof Written it ? Optional.of(it.event()) : Optional.empty();
  }

  /** Returns the event that is there, if it has this id. */
  default Optional<Event> found(String eventId) {
    return found().filter(it -> it.id().equals(eventId));
  }
}
