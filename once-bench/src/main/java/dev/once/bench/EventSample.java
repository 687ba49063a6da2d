package dev.once.bench;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Events of half a kilobyte, ten for each aggregate. Later events have higher ids. */
final class EventSample {
  static final String AGGREGATE_TYPE = "order";
  static final int PER_AGGREGATE = 10;

  private static final AtomicLong NEXT = new AtomicLong();

  private EventSample() {}

  /** Returns an unused event of an aggregate. */
  static EventData newEvent(String aggregateId) {
    String id = "event-%012d".formatted(NEXT.getAndIncrement());
    Aggregate aggregate = new Aggregate(AGGREGATE_TYPE, aggregateId);
    return EventData.of(id, aggregate, "order.changed", WebhookSample.body(id));
  }

  /** Returns unused events of new aggregates, which take turns. */
  static List<EventData> newEvents(int count) {
    List<String> aggregates = Sample.newKeys(Math.max(1, count / PER_AGGREGATE));
    return IntStream.range(0, count)
        .mapToObj(it -> newEvent(aggregates.get(it % aggregates.size())))
        .toList();
  }

  /** Returns the same events as a consumer receives them. */
  static List<Event> received(List<EventData> events) {
    int aggregates = Math.max(1, events.size() / PER_AGGREGATE);
    Instant now = Instant.now();
    return IntStream.range(0, events.size())
        .mapToObj(it -> new Event(events.get(it), 1 + it / aggregates, now))
        .toList();
  }
}
