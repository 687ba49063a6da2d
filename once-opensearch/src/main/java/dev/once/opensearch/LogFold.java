package dev.once.opensearch;

import dev.once.Fingerprint;
import dev.once.events.Event;
import dev.once.events.EventLog;
import dev.once.events.EventStore;
import dev.once.events.UnprocessableEventException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The documents that a log makes, by their ids. Only versions and digests are kept, about 300 bytes
 * per document.
 */
final class LogFold {
  private final ReadModel model;
  private final EventLog log;
  private final Map<String, Digest> documents = new HashMap<>();
  private String position = EventLog.START;
  private long events;

  /** A document without its content. */
  record Digest(long version, String sha256) {
    static Digest of(long version, String json) {
      return new Digest(version, Fingerprint.sha256(json).digest());
    }
  }

  LogFold(ReadModel model, EventLog log) {
    this.model = model;
    this.log = log;
  }

  /** Reads the log to its end, and reports after each page how many events were read. */
  void advance(LongConsumer progress) {
    EventLog.Page page;
    do {
      page = log.read(position, EventStore.MAX_PAGE);
      page.events().forEach(this::add);
      position = page.next();
      events += page.events().size();
      progress.accept(events);
    } while (!page.isLast());
  }

  private void add(Event event) {
    try {
      model
          .document(event)
          .ifPresent(it -> documents.put(it.id(), Digest.of(it.version(), it.json())));
    } catch (UnprocessableEventException e) {
      // The projection has given it up as well.
    }
  }

  long events() {
    return events;
  }

  Optional<Digest> document(String id) {
    return Optional.ofNullable(documents.get(id));
  }

  Set<String> ids() {
    return new HashSet<>(documents.keySet());
  }
}
