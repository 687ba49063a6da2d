package dev.once.spring;

import dev.once.events.ConsumerEvent;
import dev.once.events.ConsumerListener;
import dev.once.events.Settlement;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what happens to events, by handler. */
final class ConsumerMetrics implements ConsumerListener {
  private static final List<String> EVENTS =
      List.of(
          "handled",
          "duplicate",
          "stale",
          "skipped",
          "dead",
          "open",
          "failed",
          "released",
          "waiting",
          "lease_lost",
          "unknown",
          "unreadable",
          "outage",
          "trouble");

  private final MeterRegistry registry;
  private final Set<String> handlers = ConcurrentHashMap.newKeySet();

  ConsumerMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void on(ConsumerEvent event) {
    if (event instanceof ConsumerEvent.Settled it) {
      count(it, nameOf(it.settlement()));
    } else if (event instanceof ConsumerEvent.Failed) {
      count(event, "failed");
    } else if (event instanceof ConsumerEvent.Released) {
      count(event, "released");
    } else if (event instanceof ConsumerEvent.Waiting) {
      count(event, "waiting");
    } else if (event instanceof ConsumerEvent.LeaseLost) {
      count(event, "lease_lost");
    } else if (event instanceof ConsumerEvent.Unknown) {
      count(event, "unknown");
    } else if (event instanceof ConsumerEvent.Unreadable) {
      count(event, "unreadable");
    } else if (event instanceof ConsumerEvent.OutageStarted) {
      count(event, "outage");
    } else if (event instanceof ConsumerEvent.Trouble) {
      count(event, "trouble");
    } else if (!(event instanceof ConsumerEvent.OutageEnded)
        && !(event instanceof ConsumerEvent.RegistryDisabled)) { // Logged, not counted.
      throw new AssertionError("unhandled event " + event.getClass());
    }
  }

  private static String nameOf(Settlement settlement) {
    if (settlement instanceof Settlement.Handled) {
      return "handled";
    } else if (settlement instanceof Settlement.Duplicate) {
      return "duplicate";
    } else if (settlement instanceof Settlement.Stale) {
      return "stale";
    } else if (settlement instanceof Settlement.Skipped) {
      return "skipped";
    } else if (settlement instanceof Settlement.Dead) {
      return "dead";
    } else if (settlement instanceof Settlement.Open) {
      return "open";
    }
    throw new AssertionError("unhandled settlement " + settlement.getClass());
  }

  /** Registers all counters of a new handler: an alert on an increase needs a zero before it. */
  private void count(ConsumerEvent event, String name) {
    if (handlers.add(event.handler())) {
      EVENTS.forEach(it -> counter(event.handler(), it));
    }
    counter(event.handler(), name).increment();
  }

  private Counter counter(String handler, String event) {
    return Counter.builder("once_consumer_events")
        .description("What happened to events, and to their consumers")
        .tag("handler", handler)
        .tag("event", event)
        .register(registry);
  }
}
