package dev.once.spring;

import dev.once.webhooks.WebhookEvent;
import dev.once.webhooks.WebhookListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** Counts the events of webhooks that are sent, by kind: endpoints are too many for a tag. */
final class WebhookMetrics implements WebhookListener {
  private final MeterRegistry registry;

  /** Registers all counters: an alert on an increase needs a zero before it. */
  WebhookMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (Class<?> kind : WebhookEvent.class.getPermittedSubclasses()) {
      counter(kind);
    }
  }

  @Override
  public void on(WebhookEvent event) {
    counter(event.getClass()).increment();
  }

  private Counter counter(Class<?> kind) {
    return Counter.builder("once_webhook_events")
        .description("Events of webhooks that are sent")
        .tag("event", kind.getSimpleName().toLowerCase(Locale.ROOT))
        .register(registry);
  }
}
