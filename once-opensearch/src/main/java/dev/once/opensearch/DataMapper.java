package dev.once.opensearch;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.internal.Limits;
import java.util.Set;

/** Maps an event of one type of aggregate to a document that is its data, or to a deletion. */
record DataMapper(String aggregateType, Set<String> deletes) implements DocumentMapper {
  DataMapper {
    Limits.text("aggregate type", aggregateType, 1, Aggregate.MAX_TYPE_CHARS);
  }

  @Override
  public DocumentChange map(Event event) {
    if (!event.aggregate().type().equals(aggregateType)) {
      return DocumentChange.none();
    }
    return deletes.contains(event.content().type())
        ? DocumentChange.delete()
        : DocumentChange.put(event.content().data());
  }
}
