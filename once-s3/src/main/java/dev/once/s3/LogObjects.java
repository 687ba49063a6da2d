package dev.once.s3;

import dev.once.Fingerprint;
import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.internal.EventJson;
import java.util.List;
import java.util.Optional;

/** The events of a log, the pointers to them and the index, each an object. */
record LogObjects(S3Objects objects) {
  PlaceContent at(Place place) {
    return objects
        .get("reading an event", LogNames.event(place.aggregate(), place.sequence()))
        .map(LogJson::content)
        .orElseGet(PlaceContent.Empty::new);
  }

  /** Returns the pointer from an event's id, and what is at the place that it names. */
  Optional<StoredPointer> find(String eventId) {
    return objects
        .get("finding event " + eventId, LogNames.pointer(eventId))
        .map(
            it -> {
              EventPointer pointer = LogJson.pointer(it);
              return new StoredPointer(pointer, it.etag(), at(pointer.place()));
            });
  }

  /**
   * Makes the pointer of an event name a place, and returns whether it does: not if a concurrent
   * append of the same event has changed it, or may write the event elsewhere.
   */
  boolean point(
      Optional<StoredPointer> earlier, String eventId, Place place, Fingerprint fingerprint) {
    EventPointer pointer = new EventPointer(eventId, place, fingerprint);
    String name = LogNames.pointer(eventId);
    String what = "writing the pointer of event " + eventId;
    if (earlier.isEmpty()) {
      return objects.putIfAbsent(what, name, LogJson.write(pointer));
    }
    StoredPointer stored = earlier.get();
    return stored.pointer().equals(pointer)
        || (stored.mayMoveTo(place)
            && objects.replace(what, name, LogJson.write(pointer), stored.etag()));
  }

  void index(String eventId, Place place) {
    objects.put(
        "writing the index entry of event " + eventId,
        LogNames.index(place),
        LogJson.indexEntry(eventId));
  }

  /** Writes an event unless something is at its place, and returns whether it did. */
  boolean write(Event event) {
    return objects.putIfAbsent(
        "writing event " + event.id(),
        LogNames.event(event.aggregate().key(), event.sequence()),
        EventJson.write(event));
  }

  /** Makes sure that there is an event or a marker at a place. */
  void abandon(String eventId, Place place) {
    objects.putIfAbsent(
        "abandoning the place of event " + eventId,
        LogNames.event(place.aggregate(), place.sequence()),
        LogJson.marker(eventId));
  }

  /** Returns the first sequences after one at which there is an event or a marker. */
  List<Long> sequences(Aggregate aggregate, long after, int limit) {
    String folder = LogNames.events(aggregate.key());
    String last = LogNames.event(aggregate.key(), after);
    return objects.list("reading " + aggregate, folder, last, LogNames::isEvent, limit).stream()
        .map(LogNames::sequence)
        .toList();
  }

  List<String> indexEntries(String after, int limit) {
    return objects.list(
        "reading the index of the log", LogNames.INDEX, after, LogNames::isIndexEntry, limit);
  }
}
