package dev.once.spring;

import dev.once.EngineEvent;
import dev.once.Headers;
import dev.once.cache.NearCache;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.events.ConsumerEvent;
import dev.once.events.Event;
import dev.once.events.ProcessedEvents;
import dev.once.events.RelayReport;
import dev.once.http.Caller;
import dev.once.http.Contract;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpBody;
import dev.once.http.HttpCall;
import dev.once.http.HttpOnce;
import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.http.Refusal;
import dev.once.http.ReplayStatus;
import dev.once.http.Route;
import dev.once.inbox.InboxEvent;
import dev.once.inbox.Provider;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.JobCensus;
import dev.once.jobs.JobEvent;
import dev.once.json.Fingerprinter;
import dev.once.redis.RedisCache;
import dev.once.testkit.internal.GeneratedPage;
import dev.once.testkit.internal.MeterTable;
import dev.once.webhooks.WebhookEvent;
import io.lettuce.core.RedisURI;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.StandardEnvironment;
import tools.jackson.databind.json.JsonMapper;

/** docs/reference/metrics.md lists the meters that the starter registers. */
class MetricsReferenceTest {
  private static final Path PAGE = Path.of("../docs/reference/metrics.md");
  private static final String HEAD =
      """
      # Metrics

      What a service with the Spring Boot starter reports through Micrometer, as far as its modules are there. In Prometheus a name with dots has
      underscores, a counter ends in `_total`, and a timer in `_seconds_count`, `_sum` and `_max`. No tag has a key or a raw path.
      [How to read them](../operating/http.md#metrics); the meters of the gateway are on [its page](gateway.md#metrics).

      """;

  private final MeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void listsEveryMeter() throws Exception {
    registerOfRecords();
    registerOfRequests();
    registerOfJobs();
    registerOfWebhooks();
    registerOfEvents();

    MeterTable table = table(registry);
    table.requireAllOf(Path.of("src/main/java/dev/once/spring"));
    GeneratedPage.check(PAGE, HEAD + table.text());
  }

  private void registerOfRecords() throws ReflectiveOperationException {
    DataSource database = EmbeddedPostgres.shared().newDatabase("metrics");
    JdbcSchema.apply(database);
    JdbcRecordStore store = JdbcRecordStore.over(database);
    new EntriesGauge(store).bindTo(registry);
    new StaleGauge(store).bindTo(registry);
    EngineEvent event = EventSamples.of(EngineEvent.Replayed.class);
    new EngineMetrics(registry).on(event);
    new DuplicateMetrics(registry).on(event);
    new CacheMetrics(NearCache.builder().build()).bindTo(registry);
    // The cache needs no server: without one, it has nothing.
    try (RedisCache cache = RedisCache.connect(RedisURI.create("redis://127.0.0.1:1"), "metrics")) {
      new RedisCacheMetrics(cache).bindTo(registry);
    }
  }

  private void registerOfRequests() {
    ReplayMetrics replays = new ReplayMetrics(registry);
    ExchangeMetrics exchanges = new ExchangeMetrics(registry, new TenantTags());
    Route route = Route.of("/orders/{id}", Route.Mode.LEASED);
    HttpCall call = HttpCall.of("POST", "/orders/1", "", List.of(), HttpBody.NONE);
    HttpOperation operation =
        new HttpOnce(Contract.STRICT, Fingerprinter.sha256())
            .operation("k", call, route, new Caller("acme", "ann"), Headers.NONE);
    HttpAnswer answer = HttpAnswer.of(201, Headers.NONE, new byte[0]);
    for (ReplayStatus status : ReplayStatus.values()) {
      Answered answered = new Answered(status, answer, Optional.empty());
      replays.answered(operation, answered);
      exchanges.answered(operation, answered);
    }
    exchanges.passed("POST", route, Refusal.KEY_REQUIRED);
    exchanges.refused("POST", route, Refusal.KEY_REQUIRED);
  }

  private void registerOfJobs() throws ReflectiveOperationException {
    JobMetrics metrics = new JobMetrics(registry);
    for (Class<?> type : JobEvent.class.getPermittedSubclasses()) {
      metrics.on(EventSamples.of(JobEvent.Started.class));
      metrics.on((JobEvent) EventSamples.of(type));
    }
    JobGauges gauges = new JobGauges();
    gauges.bindTo(registry);
    var counts = new JobCensus.QueueCounts("mail", 1, 0, 0, 0, 0, Optional.empty());
    gauges.show(new JobCensus(List.of(counts), Set.of()));
  }

  private void registerOfWebhooks() throws ReflectiveOperationException {
    List<Provider> providers = List.of(Provider.gitHub("acme", "a secret of this test"));
    new InboxMetrics(registry, providers).on(EventSamples.of(InboxEvent.Duplicate.class));
    new WebhookMetrics(registry).on(EventSamples.of(WebhookEvent.Dropped.class));
  }

  private void registerOfEvents() throws ReflectiveOperationException {
    new ConsumerMetrics(registry).on(EventSamples.of(ConsumerEvent.Failed.class));
    RelayMetrics relays = new RelayMetrics(registry);
    relays.report(new RelayReport("events", true, 1, 0, 0, 0, "1:1", Optional.empty()));
    relays.failed("events", new IllegalStateException("no"));
    new ConsumerGauges(consumers()).bindTo(registry);
  }

  /** Returns the consumers of an application with one handler; none of them runs. */
  private static EventConsumers consumers() {
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    beans.registerSingleton("shop", new Shop());
    StandardEnvironment environment = new StandardEnvironment();
    EventsProperties settings = new Binder().bindOrCreate("once.events", EventsProperties.class);
    return new EventConsumers(
        new EventMethods(beans, JsonMapper::shared),
        beans.getBeanProvider(ProcessedEvents.class),
        OnceDatabase.of(beans, null, null),
        settings,
        new EventVariables(environment),
        new KafkaClients(settings.kafka(), environment),
        List.of());
  }

  /** A handler of events. */
  static class Shop {
    @OnceEvent(handler = "billing", topics = "orders")
    public void bill(Event event) {
      throw new AssertionError("nothing runs: " + event);
    }
  }

  private static MeterTable table(MeterRegistry registry) {
    MeterTable table = new MeterTable();
    for (Meter meter : registry.getMeters()) {
      Meter.Id id = meter.getId();
      String unit = id.getBaseUnit() == null ? "" : ", in " + id.getBaseUnit();
      table.add(
          id.getName(),
          id.getType().name().toLowerCase(Locale.ROOT) + unit,
          id.getTags().stream().collect(Collectors.toMap(Tag::getKey, Tag::getValue)),
          String.valueOf(id.getDescription()));
    }
    return table;
  }
}
