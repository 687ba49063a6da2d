package dev.once.spring;

import dev.once.EngineEvent;
import dev.once.OnceListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts repeated steps and payments, which were answered from the record. */
final class DuplicateMetrics implements OnceListener {
  private final Counter steps;
  private final Counter payments;

  /** Registers both counters at start: an alert on an increase needs a zero before it. */
  DuplicateMetrics(MeterRegistry registry) {
    this.steps = counter(registry, "step_duplicate", "Steps that were done before");
    this.payments = counter(registry, "payment_duplicate", "Payments that were made before");
  }

  @Override
  public void on(EngineEvent event) {
    if (event instanceof EngineEvent.Replayed it) {
      String scope = it.key().scope();
      if (scope.startsWith("step:")) {
        steps.increment();
      } else if (scope.equals("payment_request") || scope.equals("payment_confirmation")) {
        payments.increment();
      }
    }
  }

  private static Counter counter(MeterRegistry registry, String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }
}
