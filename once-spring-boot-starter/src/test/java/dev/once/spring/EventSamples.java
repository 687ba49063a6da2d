package dev.once.spring;

import dev.once.Headers;
import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.Settlement;
import dev.once.testkit.internal.RecordSamples;
import java.time.Instant;
import java.util.Map;

/** Makes an event of any type. */
final class EventSamples {
  private static final Event EVENT =
      new Event(EventData.of("e-1", new Aggregate("order", "o-1"), "a", "{}"), 1, Instant.EPOCH);

  private static final RecordSamples SAMPLES =
      new RecordSamples(
          Map.of(
              Headers.class,
              Headers.NONE,
              Event.class,
              EVENT,
              Settlement.class,
              new Settlement.Stale(EVENT)));

  private EventSamples() {}

  /** Returns an event with a sample of each component. */
  static <T> T of(Class<T> event) throws ReflectiveOperationException {
    return SAMPLES.of(event);
  }
}
