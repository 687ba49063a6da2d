package dev.once.spring;

import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.http.Refusal;
import dev.once.http.ReplayStatus;
import dev.once.http.Route;
import dev.once.servlet.ExchangeListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** Counts requests with a key by replay status, and requests without a valid one. */
final class ExchangeMetrics implements ExchangeListener {
  private final MeterRegistry registry;
  private final TenantTags tenants;

  ExchangeMetrics(MeterRegistry registry, TenantTags tenants) {
    this.registry = registry;
    this.tenants = tenants;
  }

  @Override
  public void answered(HttpOperation operation, Answered answered) {
    Counter.builder(answered.replayStatus().meter())
        .description(description(answered.replayStatus()))
        .tag("tenant", tenants.tag(operation.request().key().tenant()))
        .tag("endpoint", EndpointName.of(operation))
        .tag("status", Integer.toString(answered.answer().status()))
        .register(registry)
        .increment();
  }

  @Override
  public void passed(String method, Route route, Refusal reason) {
    count(
        "idempotency_unguarded",
        "Requests that passed without a guard, because of once.http.enforcement=report",
        EndpointName.of(method, route),
        reason);
  }

  @Override
  public void refused(String method, Route route, Refusal reason) {
    count(
        "idempotency_invalid",
        "Requests that were refused for their caller, key or body",
        EndpointName.of(method, route),
        reason);
  }

  private void count(String name, String description, String endpoint, Refusal reason) {
    Counter.builder(name)
        .description(description)
        .tag("endpoint", endpoint)
        .tag("reason", reason.name().toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }

  private static String description(ReplayStatus status) {
    return switch (status) {
      case HIT -> "Requests that were answered from the record";
      case MISS -> "Requests that were executed";
      case IN_PROGRESS -> "Requests that came while the first one with their key was executed";
      case CONFLICT -> "Requests whose key belongs to another one, or whose outcome is unknown";
      case REFUSED -> "Requests that were not executed: no store, or a tenant at a limit";
    };
  }
}
