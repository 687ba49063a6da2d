package dev.once.events;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/** Events of orders; the id of an event is its order and its sequence. */
final class TestEvents {
  private TestEvents() {}

  static Event event(String order, long sequence) {
    return event(order + "-" + sequence, order, sequence);
  }

  static Event event(String id, String order, long sequence) {
    EventData data = EventData.of(id, new Aggregate("order", order), "order.changed", "{}");
    return new Event(data, sequence, Instant.EPOCH);
  }

  /** Returns the events of {@code order} from sequence 1 to {@code last}. */
  static List<Event> events(String order, long last) {
    return LongStream.rangeClosed(1, last).mapToObj(it -> event(order, it)).toList();
  }
}
