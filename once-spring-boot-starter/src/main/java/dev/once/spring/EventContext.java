package dev.once.spring;

import dev.once.events.Event;
import java.util.List;
import org.slf4j.MDC;

/** Adds handler, id and type of the event to every line that a method logs. */
final class EventContext {
  private static final String HANDLER = "handler";
  private static final String EVENT_ID = "event_id";
  private static final String EVENT_TYPE = "event_type";

  private EventContext() {}

  static void begin(String handler, Event event) {
    MDC.put(HANDLER, handler);
    MDC.put(EVENT_ID, event.id());
    MDC.put(EVENT_TYPE, event.content().type());
  }

  static void end() {
    List.of(HANDLER, EVENT_ID, EVENT_TYPE).forEach(MDC::remove);
  }
}
