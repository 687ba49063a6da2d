package dev.once.spring;

import dev.once.OnceEvent;
import dev.once.OnceListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts the events of the engine that an alert may watch. */
final class EngineMetrics implements OnceListener {
  private final Counter leaseLost;
  private final Counter outcomeUnknown;
  private final Counter released;
  private final Counter abandoned;
  private final Counter unreadable;
  private final Counter limited;

  /** Registers all counters at start: an alert on an increase needs a zero before it. */
  EngineMetrics(MeterRegistry registry) {
    this.leaseLost = counter(registry, "lease_lost");
    this.outcomeUnknown = counter(registry, "outcome_unknown");
    this.released = counter(registry, "released");
    this.abandoned = counter(registry, "abandoned");
    this.unreadable = counter(registry, "unreadable");
    this.limited = counter(registry, "limited");
  }

  @Override
  public void on(OnceEvent event) {
    if (event instanceof OnceEvent.LeaseLost) {
      leaseLost.increment();
    } else if (event instanceof OnceEvent.OutcomeUnknown) {
      outcomeUnknown.increment();
    } else if (event instanceof OnceEvent.Released) {
      released.increment();
    } else if (event instanceof OnceEvent.Abandoned) {
      abandoned.increment();
    } else if (event instanceof OnceEvent.Unreadable) {
      unreadable.increment();
    } else if (event instanceof OnceEvent.Limited) {
      limited.increment();
    }
  }

  private static Counter counter(MeterRegistry registry, String event) {
    return Counter.builder("once_events")
        .description("Calls that did not end with a recorded outcome")
        .tag("event", event)
        .register(registry);
  }
}
