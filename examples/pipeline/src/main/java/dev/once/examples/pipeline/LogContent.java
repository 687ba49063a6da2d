package dev.once.examples.pipeline;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All events of the log, and the last one of each aggregate. */
final class LogContent {
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

  private void add(Event event) {
    events.add(event);
    last.merge(event.aggregate(), event, (a, b) -> b.sequence() > a.sequence() ? b : a);
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
