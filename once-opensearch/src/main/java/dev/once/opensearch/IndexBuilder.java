package dev.once.opensearch;

import dev.once.events.Event;
import dev.once.events.EventLog;
import dev.once.events.UnprocessableEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the documents of a log to an index, from the position that the index remembers. */
final class IndexBuilder {
  /** To remember a position changes the state of the cluster, which costs more than a write. */
  private static final int PAGES_PER_CHECKPOINT = 20;

  private final ReadModel model;
  private final ReadModelIndexes indexes;
  private final String index;
  private final EventLog log;
  private final int pageSize;
  private final RebuildListener listener;
  private final BulkSender sender;
  private String position;
  private long pages;
  private long events;
  private long rejected;

  IndexBuilder(ReadModel model, String index, EventLog log, int pageSize, RebuildListener listener)
      throws InterruptedException {
    this.model = model;
    this.indexes = model.indexes();
    this.index = index;
    this.log = log;
    this.pageSize = pageSize;
    this.listener = listener;
    this.sender = new BulkSender(model.client(), indexes.buildingAlias(), RetryTimer.DEFAULT_LIMIT);
    this.position = indexes.position(index);
  }

  /** Returns when the index has all events that were visible in the log at the call. */
  void copyToEndOfLog() throws InterruptedException {
    EventLog.Page page;
    do {
      page = log.read(position, pageSize);
      write(page.events());
      position = page.next();
      events += page.events().size();
      pages++;
      if (pages % PAGES_PER_CHECKPOINT == 0) {
        indexes.savePosition(index, position);
      }
      listener.progress(new RebuildProgress(index, events, rejected, position, lag(page)));
    } while (!page.isLast());
  }

  private static Duration lag(EventLog.Page page) {
    if (page.isLast() || page.events().isEmpty()) {
      return Duration.ZERO;
    }
    Event last = page.events().get(page.events().size() - 1);
    Duration age = Duration.between(last.time(), Instant.now());
    return age.isNegative() ? Duration.ZERO : age;
  }

  private void write(List<Event> page) throws InterruptedException {
    Map<Event, BulkWrite> writes = new LinkedHashMap<>();
    long bytes = 0;
    for (Event event : page) {
      BulkWrite write;
      try {
        var document = model.document(event);
        if (document.isEmpty()) {
          continue;
        }
        write = new BulkWrite(document.get());
      } catch (UnprocessableEventException e) {
        reject(event, e);
        continue;
      }
      if (bytes + write.lines().length > SearchProjection.MAX_BATCH_BYTES) {
        send(writes);
        writes.clear();
        bytes = 0;
      }
      writes.put(event, write);
      bytes += write.lines().length;
    }
    send(writes);
  }

  private void send(Map<Event, BulkWrite> writes) throws InterruptedException {
    if (writes.isEmpty()) {
      return;
    }
    sender.send(List.copyOf(writes.values()));
    writes.forEach((event, write) -> write.failure().ifPresent(it -> reject(event, it)));
  }

  /** The projection gives up such an event as well; any other failure ends the rebuild. */
  private void reject(Event event, RuntimeException reason) {
    if (!(reason instanceof UnprocessableEventException)) {
      throw reason;
    }
    rejected++;
    listener.rejected(event, String.valueOf(reason.getMessage()));
  }
}
