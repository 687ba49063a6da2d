package dev.once.gateway;

import dev.once.EngineEvent;
import dev.once.OnceListener;
import dev.once.cache.NearCache;
import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.http.Refusal;
import dev.once.http.ReplayStatus;
import dev.once.http.Route;
import dev.once.servlet.ExchangeListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** Counts what the gateway does, under the names that services of Spring Boot use too. */
final class GatewayMetrics implements ExchangeListener, OnceListener {
  private record Forwarded(String upstream, Forwarding outcome) {}

  private record Answer(
      ReplayStatus as, String tenant, String method, String template, int status) {}

  private final MeterRegistry registry;
  private final Map<Class<? extends EngineEvent>, Counter> events = new HashMap<>();

  /** Beside the registry, which would build names and tags for each request. */
  private final Map<Forwarded, Counter> forwarded = new ConcurrentHashMap<>();

  private final Map<Answer, Counter> answers = new ConcurrentHashMap<>();

  /** Registers counters of events at start: an alert on an increase needs a zero before it. */
  GatewayMetrics(MeterRegistry registry) {
    this.registry = registry;
    events.put(EngineEvent.LeaseLost.class, event("lease_lost"));
    events.put(EngineEvent.OutcomeUnknown.class, event("outcome_unknown"));
    events.put(EngineEvent.Released.class, event("released"));
    events.put(EngineEvent.Abandoned.class, event("abandoned"));
    events.put(EngineEvent.Unreadable.class, event("unreadable"));
    events.put(EngineEvent.Limited.class, event("limited"));
  }

  /** Reports look-ups in the cache, and how much of it is taken. */
  void watch(NearCache cache) {
    lookups(cache, "hit", it -> it.stats().hits());
    lookups(cache, "miss", it -> it.stats().misses());
    Gauge.builder("once_cache_entries", cache, it -> it.stats().entries())
        .description("Answers in the memory of this gateway")
        .register(registry);
    Gauge.builder("once_cache_bytes", cache, it -> it.stats().bytes())
        .description("Size of the answers in the memory of this gateway")
        .baseUnit("bytes")
        .register(registry);
  }

  private void lookups(NearCache cache, String result, ToDoubleFunction<NearCache> count) {
    FunctionCounter.builder("once_cache", cache, count)
        .description("Lookups in the near cache")
        .tag("tier", "memory")
        .tag("result", result)
        .register(registry);
  }

  private Counter event(String name) {
    return Counter.builder("once_events")
        .description("Calls that did not end with a recorded outcome")
        .tag("event", name)
        .register(registry);
  }

  void spool(Spool spool) {
    Gauge.builder("once_gateway_spooled_bytes", spool, Spool::usedBytes)
        .description("Bytes of bodies that are kept in files now")
        .register(registry);
  }

  @Override
  public void on(EngineEvent event) {
    Counter counter = events.get(event.getClass());
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void answered(HttpOperation operation, Answered answered) {
    answers
        .computeIfAbsent(
            new Answer(
                answered.replayStatus(),
                operation.request().key().tenant(),
                operation.method(),
                operation.route().template(),
                answered.answer().status()),
            this::counter)
        .increment();
  }

  private Counter counter(Answer it) {
    return Counter.builder(it.as.meter())
        .description("Requests with a key, by how they were answered")
        .tag("tenant", it.tenant)
        .tag("endpoint", it.method + " " + it.template)
        .tag("status", Integer.toString(it.status))
        .register(registry);
  }

  @Override
  public void passed(String method, Route route, Refusal reason) {
    refusal("idempotency_unguarded", "Requests that passed without a guard", method, route, reason);
  }

  @Override
  public void refused(String method, Route route, Refusal reason) {
    refusal(
        "idempotency_invalid",
        "Requests that were refused for their caller, key or body",
        method,
        route,
        reason);
  }

  @Override
  public void observed(HttpOperation operation, ReplayStatus status) {
    Counter.builder("idempotency_observed")
        .description("Requests with a key in report mode, by how they would have been answered")
        .tag("endpoint", endpoint(operation.method(), operation.route()))
        .tag("as", status.name().toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }

  /** Counts a request to a service. */
  void forwarded(Target target, Forwarding forwarding) {
    forwarded
        .computeIfAbsent(
            new Forwarded(target.upstream().settings().path(), forwarding), this::counter)
        .increment();
  }

  private Counter counter(Forwarded it) {
    return Counter.builder("once_gateway_forwarded")
        .description("Requests to a service, by what became of them")
        .tag("upstream", it.upstream)
        .tag("outcome", it.outcome.name().toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private void refusal(
      String name, String description, String method, Route route, Refusal reason) {
    Counter.builder(name)
        .description(description)
        .tag("endpoint", endpoint(method, route))
        .tag("reason", reason.name().toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }

  static String endpoint(String method, Route route) {
    return method + " " + route.template();
  }
}
