package dev.once.opensearch;

import dev.once.events.Event;
import dev.once.events.UnprocessableEventException;
import java.util.Set;

/**
 * Says what an event does to the document of its aggregate. It depends on the event alone: events
 * may come twice, or an older one may be skipped when a later one came first, so an event has to
 * carry the whole state that its document shows.
 */
@FunctionalInterface
public interface DocumentMapper {
  /**
   * Returns the change, the same for the same event.
   *
   * @throws UnprocessableEventException if the event can never become a document
   */
  DocumentChange map(Event event);

  /**
   * Returns a mapper whose document is the data of the event. It needs no code of the application,
   * so that a program for operators sees the same read model.
   *
   * @param aggregateType events of other aggregates change nothing
   * @param deletes types of the events that delete the document
   */
  static DocumentMapper ofData(String aggregateType, Set<String> deletes) {
    return new DataMapper(aggregateType, Set.copyOf(deletes));
  }
}
