package dev.once.effects;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import java.time.Instant;

/** Events of orders. The data of an event is the whole state of its order. */
final class TestEvents {
  static final String CHANGED = "order.changed";
  static final String DELETED = "order.deleted";
  static final String NOTED = "order.noted";

  private TestEvents() {}

  /** Returns an event whose data has its sequence as {@code count}. */
  static Event changed(String order, long sequence) {
    return event(order, sequence, CHANGED, "{\"count\":" + sequence + "}");
  }

  static Event deleted(String order, long sequence) {
    return event(order, sequence, DELETED, "{}");
  }

  static Event noted(String order, long sequence) {
    return event(order, sequence, NOTED, "{}");
  }

  static Event event(String order, long sequence, String type, String json) {
    EventData data =
        EventData.of(order + "-" + sequence, new Aggregate("order", order), type, json);
    return new Event(data, sequence, Instant.EPOCH);
  }

  /** Maps events to the state of their order. */
  static StateChange map(Event event) {
    return switch (event.content().type()) {
      case DELETED -> StateChange.delete();
      case NOTED -> StateChange.none();
      default -> StateChange.put(event.content().data());
    };
  }
}
