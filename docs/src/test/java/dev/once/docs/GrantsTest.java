package dev.once.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventData;
import dev.once.events.EventLog;
import dev.once.events.EventsSchema;
import dev.once.events.PostgresEventStore;
import dev.once.events.ProcessedEvents;
import dev.once.events.ProcessedState;
import dev.once.events.Relay;
import dev.once.events.Snapshot;
import dev.once.inbox.Confirmation;
import dev.once.inbox.Delivery;
import dev.once.inbox.Fields;
import dev.once.inbox.Inbox;
import dev.once.inbox.InboxSchema;
import dev.once.inbox.Provider;
import dev.once.inbox.Signing;
import dev.once.inbox.WebhookHandler;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobEvent;
import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.LetterQuery;
import dev.once.jobs.Schedule;
import dev.once.jobs.Workers;
import dev.once.spi.Purge;
import dev.once.steps.RunId;
import dev.once.webhooks.WebhookEndpoint;
import dev.once.webhooks.WebhookMessage;
import dev.once.webhooks.WebhookSender;
import dev.once.webhooks.WebhooksSchema;
import dev.once.workflow.Runs;
import dev.once.workflow.SignalResult;
import dev.once.workflow.SignalType;
import dev.once.workflow.Workflow;
import dev.once.workflow.WorkflowStep;
import dev.once.workflow.Workflows;
import dev.once.workflow.WorkflowsSchema;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A role with the rights in docs/operating/postgresql.md can do everything, and alter no table. */
@SuppressWarnings("try") // Workers work until they are closed.
class GrantsTest {
  private final PGSimpleDataSource owner = EmbeddedPostgres.shared().newDatabase("grants");
  private final HikariDataSource shop = new HikariDataSource();
  private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

  @BeforeEach
  void grant() throws SQLException {
    JdbcSchema.apply(owner);
    JobsSchema.apply(owner);
    InboxSchema.apply(owner);
    WebhooksSchema.apply(owner);
    WorkflowsSchema.apply(owner);
    EventsSchema.named(EventsSchema.DEFAULT_NAME).apply(owner);
    String rights =
        Repository.page("docs/operating/postgresql.md").blocksIn("sql").stream()
            .filter(it -> it.startsWith("GRANT"))
            .collect(Collectors.joining("\n"));
    execute(owner.getConnection(), "CREATE ROLE shop");
    execute(owner.getConnection(), rights);
    shop.setJdbcUrl(owner.getUrl());
    shop.setUsername(owner.getUser());
    shop.setPassword(owner.getPassword());
    shop.addDataSourceProperty("options", "-c role=shop");
  }

  @AfterEach
  void revoke() throws SQLException {
    shop.close();
    execute(owner.getConnection(), "DROP OWNED BY shop; DROP ROLE shop");
  }

  @Test
  void namesEveryTable() throws SQLException {
    String rights = Repository.text(Repository.ROOT.resolve("docs/operating/postgresql.md"));
    try (Connection connection = owner.getConnection();
        Statement statement = connection.createStatement();
        ResultSet tables =
            statement.executeQuery(
                """
                SELECT tablename FROM pg_tables WHERE tablename LIKE 'once%'
                UNION ALL
                SELECT schemaname || '.' || tablename FROM pg_tables
                WHERE schemaname = 'spice_event_registry'
                """)) {
      while (tables.next()) {
        assertThat(rights).containsPattern("GRANT [^;]* \\Q" + tables.getString(1) + "\\E\\b");
      }
    }
  }

  @Test
  void areEnoughForRecords() throws SQLException {
    JdbcRecordStore store = JdbcRecordStore.over(shop);
    Key key = new Key("acme", "orders", "1");
    try (Once once = Once.over(store);
        Connection connection = shop.getConnection()) {
      once.run(Request.of(key, Codec.text()), execution -> "placed");
      connection.setAutoCommit(false);
      once.joining(store.within(connection))
          .run(Request.of(new Key("acme", "orders", "2"), Codec.text()), execution -> "placed");
      connection.commit();
    }

    assertThat(store.expire(key)).isTrue();
    assertThat(store.purge(Purge.ofEveryTenant(10))).isEqualTo(1);
    assertThatThrownBy(() -> execute(shop.getConnection(), "DROP TABLE once_record"))
        .hasMessageContaining("must be owner");
  }

  @Test
  void areEnoughForJobs() throws Exception {
    try (Jobs jobs = Jobs.builder(shop).listener(this::noteDeath).build();
        Workers workers =
            Workers.over(jobs)
                .handle("mail", "send", Handler.transactional((run, it) -> handled.add("sent")))
                .handle("mail", "fail", Handler.transactional((run, it) -> giveUp()))
                .start()) {
      jobs.enqueue(Job.of(new JobKey("acme", "mail", "send", "1")));
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("sent");
      jobs.schedule(Schedule.of("acme", "daily", "0 3 * * *", ZoneId.of("UTC"), "mail", "send"));
      assertThat(jobs.unschedule("acme", "daily")).isTrue();

      jobs.enqueue(Job.of(new JobKey("acme", "mail", "fail", "2")));
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("died");
      long id = jobs.deadLetters().list(LetterQuery.of("acme").inQueue("mail")).get(0).id();
      assertThat(jobs.deadLetters().discard("acme", Set.of(id), "ann")).containsExactly(id);
      assertThat(jobs.census()).isNotNull();
    }
  }

  @Test
  void areEnoughForSendingWebhooks() {
    try (Jobs jobs = Jobs.over(shop)) {
      WebhookSender sender = WebhookSender.builder(shop, jobs).build();
      String secret = WebhookEndpoint.newSecret();
      URI url = URI.create("https://shop.invalid/");
      sender.endpoints().put(WebhookEndpoint.of("acme", "billing", url, secret));
      assertThat(sender.send(WebhookMessage.of("acme", "msg_1", "invoice.paid", "{}"))).hasSize(1);
      assertThat(sender.endpoints().disable("acme", "billing", "off")).isTrue();
      assertThat(sender.endpoints().enable("acme", "billing", "ann")).isTrue();
      assertThat(sender.endpoints().remove("acme", "billing")).isTrue();
    }
  }

  @Test
  void areEnoughForThePurgeOfJobs() throws SQLException {
    execute(
        owner.getConnection(),
        """
        INSERT INTO once_job_done VALUES ((once_job_part('24 hours') + 1) % 4, 'acme', 'mail', 'k',
          'f', 1, 1, false, '', clock_timestamp() - interval '3 days',
          clock_timestamp() - interval '2 days')
        """);

    try (Connection connection = shop.getConnection();
        Statement statement = connection.createStatement();
        ResultSet removed = statement.executeQuery("SELECT once_job_purge('24 hours')")) {
      assertThat(removed.next()).isTrue();
      assertThat(removed.getInt(1)).isEqualTo(1);
    }
  }

  @Test
  void areEnoughForWebhooks() throws Exception {
    Provider parcels =
        Provider.custom(
                "parcels",
                "acme",
                Signing.none(),
                Fields.none()
                    .withId("/id")
                    .withType("/type")
                    .withOrder("/parcel", "/state", "packed", "sent"))
            .withPathToken("an-unguessable-token");
    try (Jobs jobs = Jobs.over(shop);
        Once once = Once.over(JdbcRecordStore.over(shop))) {
      Inbox inbox = Inbox.builder(shop, jobs).provider(parcels).build();
      Workers.Builder workers = Workers.over(jobs);
      inbox.process(
          workers,
          "parcels",
          WebhookHandler.transactional((webhook, it) -> handled.add(webhook.id()))
              .confirmedBy(once, it -> new Confirmation.Answer.Confirmed(it.text())));
      try (Workers running = workers.start()) {
        byte[] body =
            "{\"id\":\"1\",\"type\":\"t\",\"parcel\":\"p\",\"state\":\"sent\"}".getBytes(UTF_8);
        Delivery delivery =
            new Delivery(
                "POST",
                List.of("an-unguessable-token"),
                Map.of(),
                Map.of("content-type", "application/json"),
                body);
        assertThat(inbox.receive("parcels", delivery).status()).isEqualTo(200);
        assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("1");
      }
      assertThat(inbox.purge(10)).isZero();
    }
  }

  @Test
  void areEnoughForWorkflows() throws InterruptedException {
    Workflow<@Nullable String, @Nullable String> order =
        Workflow.of("order", 1, Codec.text(), Codec.text());
    SignalType<String> paid = SignalType.of("paid", Codec.text());
    RunId run = new RunId("acme", "order-1");
    try (Jobs jobs = Jobs.over(shop);
        Workflows workflows =
            Workflows.builder(jobs)
                .register(
                    order,
                    (context, item) -> {
                      context.step(WorkflowStep.of("place", Codec.text()), step -> item);
                      String payment = context.awaitSignal(paid);
                      handled.add(payment);
                      return payment;
                    })
                .build();
        Workers workers = workflows.addTo(Workers.over(jobs)).start()) {
      workflows.start(order, run, "boots");
      assertThat(workflows.signal(run, paid, "1", "p-1")).isEqualTo(SignalResult.ACCEPTED);
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("p-1");
      Runs runs = workflows.runs();

      assertThat(runs.tenants("", 10)).containsExactly("acme");
      assertThat(runs.history(run)).hasSize(2);
      assertThat(runs.fork(run, 2, "order-2")).isTrue();
      assertThat(runs.cancel(new RunId("acme", "order-2"))).isTrue();
      assertThat(runs.purge(Runs.MIN_RETENTION, 10)).isZero();
    }
  }

  @Test
  void areEnoughForEventsInPostgresql() {
    Aggregate order = new Aggregate("order", "7");
    PostgresEventStore store = PostgresEventStore.over(shop);

    store.append(EventData.of("e-1", order, "order.placed", "{}"), AppendCondition.expecting(0));
    store.save(Snapshot.of(order, 1, new byte[0]));
    store.save(Snapshot.of(order, 2, new byte[0]));

    assertThat(store.read(order, 0, 10)).hasSize(1);
    assertThat(store.log().read(EventLog.START, 10).events()).hasSize(1);
    assertThat(store.log().heldSince()).isEmpty();
    assertThat(store.snapshot(order)).isPresent();
    EventsSchema.named(EventsSchema.DEFAULT_NAME).check(shop);
    assertThatThrownBy(
            () -> execute(shop.getConnection(), "DELETE FROM spice_event_registry.event"))
        .hasMessageContaining("permission denied");
  }

  /** The statements of a store that keeps its events elsewhere. */
  @Test
  void areEnoughForSequencesOfEventsElsewhere() throws SQLException {
    execute(
        shop.getConnection(),
        """
        SELECT * FROM spice_event_registry.reserve_sequence(
          'log', 'log:order', 'order/7', 0, 'e-1', 'f', interval '30 seconds');
        SELECT FROM spice_event_registry.sequence_reservation FOR UPDATE;
        DELETE FROM spice_event_registry.sequence_reservation WHERE event_id = 'e-1';
        INSERT INTO spice_event_registry.log_time VALUES ('log', clock_timestamp());
        UPDATE spice_event_registry.log_time SET read_until = clock_timestamp();
        """);

    try (Connection connection = shop.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT last_sequence FROM spice_event_registry.aggregate_version")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getLong(1)).isEqualTo(1);
    }
  }

  @Test
  void areEnoughForRelaysAndConsumers() throws Exception {
    PostgresEventStore store = PostgresEventStore.over(shop);
    store.append(EventData.of("e-1", new Aggregate("order", "7"), "order.placed", "{}"));
    ProcessedEvents registry = ProcessedEvents.over(shop);
    try (EventConsumer consumer =
            EventConsumer.named("mail").registry(registry).start((it, execution) -> {});
        Relay relay =
            Relay.builder(
                    "relay",
                    store.log(),
                    (events, timeout) -> events.forEach(it -> relay(consumer, it)),
                    shop)
                .build()
                .start()) {
      assertThat(handled.poll(30, TimeUnit.SECONDS)).startsWith("Handled");
    }

    assertThat(registry.handlers()).containsExactly("mail");
    assertThat(registry.redrive("mail", "e-1")).isFalse();
    assertThat(registry.givenUp("mail", ProcessedState.DEAD, 10)).isEmpty();
    assertThat(registry.purge(Duration.ofHours(1))).isZero();
  }

  private void relay(EventConsumer consumer, Event event) {
    var unused =
        consumer
            .submit(event)
            .thenAccept(it -> handled.add(it.getClass().getSimpleName() + " " + event.id()));
  }

  private void noteDeath(JobEvent event) {
    if (event instanceof JobEvent.Died) {
      handled.add("died");
    }
  }

  private static void giveUp() {
    throw new JobException.GiveUp("on purpose");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (connection;
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
