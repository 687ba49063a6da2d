package dev.once.examples.pipeline;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventLog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All events of the log, and the last one of each aggregate. It is itself a log, so that the check
 * of the read model does not read all objects again.
 */
final class LogContent implements EventLog {
  private static final int PAGE = 500;

  private final List<Event> events = new ArrayList<>();
  private final Map<Aggregate, Event> last = new LinkedHashMap<>();

  /** Reads the log to its end. Nothing appends meanwhile. */
  static LogContent read(EventLog log) {
    LogContent content = new LogContent();
    String position = EventLog.START;
    EventLog.Page page;
    do {
      page = log.read(position, PAGE);
      page.events().forEach(content::add);
      position = page.next();
    } while (!page.events().isEmpty());
    return content;
  }

  /** Returns a log of these events. */
  static LogContent of(List<Event> events) {
    LogContent content = new LogContent();
    events.forEach(content::add);
    return content;
  }

  private void add(Event event) {
    events.add(event);
    last.merge(event.aggregate(), event, (a, b) -> b.sequence() > a.sequence() ? b : a);
  }

  /** Reads from memory; a position is the number of events before it. */
  @Override
  public Page read(String after, int limit) {
    int from = after.equals(START) ? 0 : Integer.parseInt(after);
    int to = Math.min(events.size(), from + limit);
    return new Page(List.copyOf(events.subList(from, to)), String.valueOf(to), to == events.size());
  }

  @Override
  public Optional<Instant> heldSince() {
    return Optional.empty();
  }

  List<Event> events() {
    return events;
  }

  List<Event> events(Kind kind) {
    return of(kind, events);
  }

  Collection<Event> last() {
    return last.values();
  }

  /** Returns the last event of each aggregate of a kind. */
  List<Event> last(Kind kind) {
    return of(kind, last.values());
  }

  private static List<Event> of(Kind kind, Collection<Event> events) {
    return events.stream().filter(it -> it.aggregate().type().equals(kind.text())).toList();
  }
}
