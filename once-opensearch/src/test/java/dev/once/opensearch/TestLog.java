package dev.once.opensearch;

import dev.once.events.Event;
import dev.once.events.EventLog;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A log in memory, of which a test sees what is read. */
final class TestLog implements EventLog {
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final List<String> reads = new CopyOnWriteArrayList<>();

  void append(Event event) {
    events.add(event);
  }

  List<Event> events() {
    return List.copyOf(events);
  }

  /** Returns the positions after which pages were read. */
  List<String> reads() {
    return reads;
  }

  @Override
  public Page read(String after, int limit) {
    reads.add(after);
    int start = after.equals(START) ? 0 : Integer.parseInt(after);
    List<Event> all = events();
    int end = Math.min(all.size(), start + limit);
    return new Page(all.subList(start, end), String.valueOf(end), end == all.size());
  }

  @Override
  public Optional<Instant> heldSince() {
    return Optional.empty();
  }
}
