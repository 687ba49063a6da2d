package dev.once.spring;

import dev.once.Headers;
import dev.once.Key;
import dev.once.TenantLimits;
import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.ProcessedState;
import dev.once.events.RegistryOutage;
import dev.once.events.Settlement;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobState;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes an event of any type. */
final class EventSamples {
  private static final Event EVENT =
      new Event(EventData.of("e-1", new Aggregate("order", "o-1"), "a", "{}"), 1, Instant.EPOCH);

  private static final Map<Class<?>, Object> SAMPLES =
      Map.ofEntries(
          Map.entry(Key.class, new Key("acme", "payments", "p-1")),
          Map.entry(JobKey.class, new JobKey("acme", "mail", "welcome", "user-42")),
          Map.entry(String.class, "a"),
          Map.entry(int.class, 1),
          Map.entry(long.class, 1L),
          Map.entry(boolean.class, true),
          Map.entry(Duration.class, Duration.ofSeconds(1)),
          Map.entry(Headers.class, Headers.NONE),
          Map.entry(JobState.class, JobState.READY),
          Map.entry(TenantLimits.Limit.class, TenantLimits.Limit.BYTES),
          Map.entry(Optional.class, Optional.empty()),
          Map.entry(Event.class, EVENT),
          Map.entry(Settlement.class, new Settlement.Stale(EVENT)),
          Map.entry(RegistryOutage.class, RegistryOutage.PAUSE),
          Map.entry(ProcessedState.class, ProcessedState.DONE),
          Map.entry(Throwable.class, new IllegalStateException("a")),
          Map.entry(Exception.class, new IllegalStateException("a")));

  private EventSamples() {}

  /** Returns an event, or another record, with a sample of each component. */
  static Object of(Class<?> event) throws ReflectiveOperationException {
    Class<?>[] types =
        Stream.of(event.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    return event
        .getDeclaredConstructor(types)
        .newInstance(Stream.of(types).map(SAMPLES::get).toArray());
  }
}
