package dev.once.spring;

import dev.once.events.RelayListener;
import dev.once.events.RelayReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what relays publish, as their last reports say. */
final class RelayMetrics implements RelayListener {
  private final MeterRegistry registry;
  private final Map<String, RelayReport> reports = new ConcurrentHashMap<>();

  RelayMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void report(RelayReport report) {
    if (reports.put(report.relay(), report) == null) {
      register(report.relay());
    }
  }

  @Override
  public void failed(String relay, Throwable failure) {
    Counter.builder("once_relay_failures")
        .description("How often reading, publishing or saving failed; it is tried again")
        .tag("relay", relay)
        .register(registry)
        .increment();
  }

  private void register(String relay) {
    FunctionCounter.builder("once_relay_published", reports, it -> last(it, relay).published())
        .description("Events that the broker confirmed")
        .tag("relay", relay)
        .register(registry);
    Gauge.builder("once_relay_active", reports, it -> last(it, relay).active() ? 1 : 0)
        .description("1 if this process publishes")
        .tag("relay", relay)
        .register(registry);
    Gauge.builder("once_relay_held_age", reports, it -> held(last(it, relay)))
        .description("How long events wait for an earlier transaction to end")
        .baseUnit("seconds")
        .tag("relay", relay)
        .register(registry);
  }

  private static RelayReport last(Map<String, RelayReport> reports, String relay) {
    RelayReport report = reports.get(relay);
    if (report == null) {
      throw new AssertionError("registered with its first report");
    }
    return report;
  }

  private static double held(RelayReport report) {
    return report
        .heldSince()
        .map(it -> Duration.between(it, Instant.now()).toMillis() / 1e3)
        .orElse(0.0);
  }
}
