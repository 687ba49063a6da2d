package dev.once.spring;

import dev.once.EngineEvent;
import dev.once.OnceListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/** Counts the events of the engine that an alert may watch. */
final class EngineMetrics implements OnceListener {
  private final Map<Class<? extends EngineEvent>, Counter> counters = new HashMap<>();

  /** Registers all counters at start: an alert on an increase needs a zero before it. */
  EngineMetrics(MeterRegistry registry) {
    counters.put(EngineEvent.LeaseLost.class, counter(registry, "lease_lost"));
    counters.put(EngineEvent.OutcomeUnknown.class, counter(registry, "outcome_unknown"));
    counters.put(EngineEvent.Released.class, counter(registry, "released"));
    counters.put(EngineEvent.Abandoned.class, counter(registry, "abandoned"));
    counters.put(EngineEvent.Unreadable.class, counter(registry, "unreadable"));
    counters.put(EngineEvent.Limited.class, counter(registry, "limited"));
  }

  @Override
  public void on(EngineEvent event) {
    Counter counter = counters.get(event.getClass());
    if (counter != null) {
      counter.increment();
    } else if (!EngineLog.ORDINARY.contains(event.getClass())) {
      throw new AssertionError("unhandled event " + event.getClass());
    }
  }

  private static Counter counter(MeterRegistry registry, String event) {
    return Counter.builder("once_events")
        .description("Calls that did not end with a recorded outcome")
        .tag("event", event)
        .register(registry);
  }
}
