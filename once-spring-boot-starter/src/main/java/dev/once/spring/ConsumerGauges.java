package dev.once.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** Reports how far each consumer is, and whether it works. */
record ConsumerGauges(EventConsumers consumers) implements MeterBinder {
  @Override
  public void bindTo(MeterRegistry registry) {
    for (String handler : consumers.handlers()) {
      gauge("once_consumer_lag", handler, RunningConsumer::lag)
          .description("Records that were not received yet, as far as Kafka has told")
          .register(registry);
      gauge("once_consumer_pending", handler, RunningConsumer::pending)
          .description("Events that were received and are not settled")
          .register(registry);
      gauge(
              "once_consumer_paused",
              handler,
              it -> it.state() == RunningConsumer.State.PAUSED ? 1 : 0)
          .description("1 while the registry cannot be reached")
          .register(registry);
      gauge(
              "once_consumer_failed",
              handler,
              it -> it.state() == RunningConsumer.State.FAILED ? 1 : 0)
          .description("1 after the consumer has ended by itself")
          .register(registry);
    }
  }

  private Gauge.Builder<EventConsumers> gauge(
      String name, String handler, ToDoubleFunction<RunningConsumer> of) {
    return Gauge.builder(name, consumers, all -> value(all, handler, of)).tag("handler", handler);
  }

  /** Returns NaN while the consumer does not run. */
  private static double value(
      EventConsumers all, String handler, ToDoubleFunction<RunningConsumer> of) {
    return all.running().stream()
        .filter(it -> it.handler().equals(handler))
        .mapToDouble(of)
        .findFirst()
        .orElse(Double.NaN);
  }
}
