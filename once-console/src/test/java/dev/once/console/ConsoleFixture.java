package dev.once.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Codec;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.events.EventsSchema;
import dev.once.events.ProcessedEvents;
import dev.once.inbox.Delivery;
import dev.once.inbox.Fields;
import dev.once.inbox.Inbox;
import dev.once.inbox.InboxSchema;
import dev.once.inbox.Provider;
import dev.once.inbox.Signing;
import dev.once.inbox.WebhookHandler;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.steps.RunId;
import dev.once.testkit.Sql;
import dev.once.webhooks.WebhookEndpoint;
import dev.once.webhooks.WebhookSender;
import dev.once.webhooks.WebhooksSchema;
import dev.once.workflow.SignalType;
import dev.once.workflow.Workflow;
import dev.once.workflow.WorkflowStep;
import dev.once.workflow.Workflows;
import dev.once.workflow.WorkflowsSchema;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.catalina.LifecycleException;
import org.jspecify.annotations.Nullable;

/** A database with the tables of all modules, a console over it, and its users. */
@SuppressWarnings("try") // Workers work until they are closed.
final class ConsoleFixture implements AutoCloseable {
  static final String OPERATOR = "operator-token-0001";
  static final String VIEWER = "viewer-token-000001";
  static final String READER = "reader-token-000001";
  static final String ACME = "acme-only-token-001";

  private static final Workflow<@Nullable String, @Nullable String> SHIP =
      Workflow.of("ship", 1, Codec.text(), Codec.text());
  private static final SignalType<String> GO = SignalType.of("go", Codec.text());
  private static final WorkflowStep<@Nullable String> PACK = WorkflowStep.of("pack", Codec.text());

  final HikariDataSource pool;
  final JdbcRecordStore store;
  final Jobs jobs;
  final Workflows workflows;
  final WebhookSender webhooks;
  final ProcessedEvents events;
  final Inbox inbox;
  final ConsoleRates rates = new ConsoleRates();
  final List<ConsoleChange> audit = new CopyOnWriteArrayList<>();
  final ConsoleServer server;

  ConsoleFixture(String hint) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(EmbeddedPostgres.shared().newDatabase(hint));
    config.setMaximumPoolSize(8);
    config.setMinimumIdle(0);
    pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    JobsSchema.apply(pool);
    WorkflowsSchema.apply(pool);
    WebhooksSchema.apply(pool);
    InboxSchema.apply(pool);
    EventsSchema.named(EventsSchema.DEFAULT_NAME).apply(pool);
    store = JdbcRecordStore.over(pool);
    jobs = Jobs.over(pool);
    workflows =
        Workflows.builder(jobs)
            .register(
                SHIP,
                (context, order) -> {
                  String packed = context.step(PACK, it -> "box of " + order);
                  String unused = context.awaitSignal(GO);
                  return packed;
                })
            .build();
    webhooks = WebhookSender.builder(pool, jobs).build();
    events = ProcessedEvents.over(pool);
    inbox =
        Inbox.builder(pool, jobs)
            .provider(provider("acme", "parcels"))
            .provider(provider("zeta", "zeta-parcels"))
            .build();
    server = new ConsoleServer(new ConsoleServlet(console(), ConsoleUsers.ofTokens(users())));
  }

  Console console() {
    return Console.builder()
        .rates(rates)
        .records(store)
        .jobs(jobs)
        .runs(workflows.runs())
        .endpoints(webhooks.endpoints())
        .inbox(inbox)
        .events(events, () -> List.of(new ConsumerStatus("search", "running", 12, 3)))
        .audit(audit::add)
        .build();
  }

  /** Returns a provider that is believed without a signature. */
  private static Provider provider(String tenant, String name) {
    return Provider.custom(
        name, tenant, Signing.checkedBy(it -> true), Fields.none().withId("/id").withType("/type"));
  }

  private static Map<String, ConsoleUser> users() {
    return Map.of(
        OPERATOR, ConsoleUser.operator("ada").withPayloads(PayloadView.FULL),
        VIEWER, ConsoleUser.viewer("vera"),
        READER, ConsoleUser.viewer("rosa").withPayloads(PayloadView.MASKED),
        ACME, ConsoleUser.operator("amy").withTenants(Set.of("acme")));
  }

  ConsoleClient as(String token) {
    return new ConsoleClient(server.address(), token);
  }

  void execute(String sql) {
    new Sql(pool).execute(sql);
  }

  Claim.Granted claim(Key key, Recovery recovery) {
    ClaimRequest request =
        ClaimRequest.of(key, Duration.ofMinutes(1), Duration.ofHours(1))
            .withCorrelation(Headers.NONE.with("X-Request-Id", "r-" + key.value()));
    return (Claim.Granted) store.claim(request.withRecovery(recovery));
  }

  void complete(Key key, String body) {
    Headers headers = Headers.NONE.with("Content-Type", "application/json").with("X-Token", "t-1");
    Payload payload = Payload.of(body.getBytes(UTF_8));
    store.complete(
        claim(key, Recovery.RERUN), new Outcome(false, 201, headers, payload), Duration.ofHours(1));
  }

  /** Leaves a record whose owner vanished, and whose effect must not be repeated. */
  void uncertain(Key key) {
    claim(key, Recovery.ASK);
    execute("UPDATE once_record SET lease_until = now() WHERE key = '%s'".formatted(key.value()));
  }

  /** Lets workers do something until it is done. */
  void workUntil(Workers.Builder workers, BooleanSupplier isDone) {
    try (Workers unused =
        workers.pollInterval(Duration.ofMillis(50)).drain(Duration.ofSeconds(10)).start()) {
      awaitThat(isDone);
    }
  }

  /** Starts a run that is packed, and waits for a signal. */
  void startRun(RunId run) {
    workflows.start(SHIP, run, "books");
    workUntil(workflows.addTo(Workers.over(jobs)), () -> workflows.runs().history(run).size() == 2);
  }

  void addEndpoint(String tenant, String id) {
    webhooks
        .endpoints()
        .put(
            WebhookEndpoint.of(
                tenant,
                id,
                URI.create("https://hooks.example/in/secret-path"),
                WebhookEndpoint.newSecret()));
  }

  /** Receives an item, whose id is also its content. */
  void receive(String provider, String id) {
    byte[] body = "{\"id\":\"%s\",\"type\":\"parcel\"}".formatted(id).getBytes(UTF_8);
    Delivery delivery =
        new Delivery("POST", List.of(), Map.of(), Map.of("content-type", "application/json"), body);
    assertThat(inbox.receive(provider, delivery).status()).isEqualTo(200);
  }

  /** Processes what was received; items whose id has "bad" in it become dead letters. */
  void processItems() {
    WebhookHandler handler =
        WebhookHandler.transactional(
                (webhook, connection) -> {
                  if (webhook.id().contains("bad")) {
                    throw new IllegalStateException("no such parcel: +49 170 1234567");
                  }
                })
            .withRetries(RetryPolicy.DEFAULT.withAttempts(1));
    Workers.Builder workers = Workers.over(jobs);
    for (String it : List.of("parcels", "zeta-parcels")) {
      workers = inbox.process(workers, it, handler);
    }
    workUntil(
        workers,
        () ->
            new Sql(pool)
                .query("SELECT key FROM once_job WHERE queue LIKE 'webhook.%' AND state <> 'dead'")
                .isEmpty());
  }

  /** Adds an event that a handler gave up. */
  void giveUpEvent(String handler, String id) {
    execute(
        """
        INSERT INTO spice_event_registry.aggregate_version (handler, aggregate, last_sequence)
        VALUES ('%s', 'order/1', 1) ON CONFLICT DO NOTHING
        """
            .formatted(handler));
    execute(
        """
        INSERT INTO spice_event_registry.processed_event (handler, event_id, aggregate, sequence,
          state, owner, token, fence, lease_until, heartbeat_at, attempts, error, started_at,
          finished_at, died_at)
        VALUES ('%s', '%s', 'order/1', 1, 'dead', 'test', 1, 1, now(), now(), 5, 'no index', now(),
          now(), now())
        """
            .formatted(handler, id));
  }

  private static void awaitThat(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within 30 seconds");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @Override
  public void close() throws LifecycleException {
    server.close();
    workflows.close();
    jobs.close();
    pool.close();
  }
}
