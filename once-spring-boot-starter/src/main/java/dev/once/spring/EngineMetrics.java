package dev.once.spring;

import dev.once.OnceEvent;
import dev.once.OnceListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/** Counts the events of the engine that an alert may watch. */
final class EngineMetrics implements OnceListener {
  private final Map<Class<? extends OnceEvent>, Counter> counters = new HashMap<>();

  /** Registers all counters at start: an alert on an increase needs a zero before it. */
  EngineMetrics(MeterRegistry registry) {
    counters.put(OnceEvent.LeaseLost.class, counter(registry, "lease_lost"));
    counters.put(OnceEvent.OutcomeUnknown.class, counter(registry, "outcome_unknown"));
    counters.put(OnceEvent.Released.class, counter(registry, "released"));
    counters.put(OnceEvent.Abandoned.class, counter(registry, "abandoned"));
    counters.put(OnceEvent.Unreadable.class, counter(registry, "unreadable"));
    counters.put(OnceEvent.Limited.class, counter(registry, "limited"));
  }

  @Override
  public void on(OnceEvent event) {
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
