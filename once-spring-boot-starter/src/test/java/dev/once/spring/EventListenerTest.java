package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.once.events.Aggregate;
import dev.once.events.ConsumerEvent;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventStore;
import dev.once.events.ProcessedEvent;
import dev.once.events.ProcessedEvents;
import dev.once.events.ProcessedState;
import dev.once.events.Settlement;
import dev.once.kafka.KafkaEventPublisher;
import dev.once.kafka.TestKafka;
import dev.once.spring.EventShop.Desk;
import dev.once.spring.EventShop.Listeners;
import dev.once.spring.EventShop.OrderPlaced;
import dev.once.spring.EventShop.Reports;
import dev.once.spring.EventShop.Seen;
import dev.once.testkit.Program;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.stereotype.Service;

/** Methods that are {@link OnceEvent}, with a real broker and a real database. */
@Timeout(120)
class EventListenerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static TestKafka kafka;
  private static KafkaEventPublisher publisher;
  private static PGSimpleDataSource database;
  private static App app;
  private static Listeners listeners;
  private static ProcessedEvents registry;

  @BeforeAll
  static void start() {
    ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME))
        .setLevel(Level.OFF); // The broker's.
    kafka = new TestKafka();
    publisher = new KafkaEventPublisher("test", kafka.client(), it -> it.aggregate().type());
    publisher.takeOver();
    database = App.newDatabase();
    app =
        start(
            EventShop.class,
            database,
            "once.events.relay.enabled=true",
            "once.events.relay.topic=orders",
            "PROJECTION_WORKER_MAX_RETRIES=2",
            "EVENT_PUBLISHER_METRICS_LOG_INTERVAL_SECONDS=1",
            "PROCESSED_EVENT_OWNER=shop-7",
            "EVENT_STORE_SEQUENCE_SCHEMA=shop_events",
            "once.events.handlers.billing.first-delay=1ms",
            "once.events.handlers.projection_worker.unknown-types=give-up",
            "once.events.handlers.projection_worker.first-delay=1ms");
    listeners = app.bean(Listeners.class);
    registry = app.bean(ProcessedEvents.class);
  }

  @AfterAll
  static void stop() {
    app.close();
    publisher.close();
    kafka.close();
  }

  @Test
  void handlesAnEventOnceThatComesTwice() throws Exception {
    Event event = event("order.placed", "boots", 1);
    publish(event);
    await("billing", event, ProcessedState.DONE);
    publish(event);
    Polling.until(
        () -> settled("billing", Settlement.Duplicate.class), it -> it.contains(event.id()));

    assertThat(app.orders("boots")).isEqualTo(1);
    assertThat(seen(event)).hasSize(1);
  }

  @Test
  void commitsTheWritesOfAMethodWithTheRowOfTheRegistry() throws Exception {
    Event event = event("order.placed", "hat", 1);
    failOnce(event);
    publish(event);
    ProcessedEvent processed = await("billing", event, ProcessedState.DONE);

    // The item is unique: had the first write stayed, the second would have failed.
    assertThat(app.orders("hat")).isEqualTo(1);
    assertThat(processed.attempts()).isEqualTo(2);
    assertThat(processed.owner()).isEqualTo("shop-7");
    assertThat(seen(event))
        .containsOnly(
            new Seen("billing", event.id(), true, "billing " + event.id() + " order.placed"));
  }

  @Test
  void countsAnAttemptThatWasMarkedToBeRolledBack() throws Exception {
    Event event = event("order.placed", "cap", 1);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    listeners.afterwards.put(
        event.id(),
        it -> {
          if (isFirst.getAndSet(false)) {
            app.bean(OrderService.class).placeAndRollBack("another cap");
          }
        });
    publish(event);

    assertThat(await("billing", event, ProcessedState.DONE).attempts()).isEqualTo(2);
    assertThat(app.orders("cap")).isEqualTo(1);
    assertThat(app.orders("another cap")).isZero();
  }

  @Test
  void runsALeasedMethodOutsideOfTransactionsAndAgainAfterAFailure() throws Exception {
    Event event = event("order.mailed", "scarf", 1);
    listeners.afterwards.put(
        event.id() + "#1",
        it -> {
          throw new IllegalStateException("not yet");
        });
    publish(event);
    await("mailer", event, ProcessedState.DONE);

    assertThat(seen(event))
        .hasSize(2)
        .allMatch(it -> it.handler().equals("mailer") && !it.isInTransaction());
  }

  @Test
  void settlesAnEventOfATypeThatNoMethodTakesWithoutACall() throws Exception {
    Event event = event("order.forgotten", "fur", 1);
    publish(event);
    await("billing", event, ProcessedState.DONE);
    await("mailer", event, ProcessedState.DONE);

    assertThat(seen(event)).isEmpty();
  }

  @Test
  void givesUpAnEventOfATypeThatNoMethodTakesIfThatIsChosen() throws Exception {
    Event event = event("order.forgotten", "cape", 1);
    publish(event);
    ProcessedEvent dead = await("projection_worker", event, ProcessedState.DEAD);
    Map<String, String> letter = letter("projection_worker_dlq", event);

    assertThat(dead.attempts()).isEqualTo(1);
    assertThat(letter).containsEntry("ce_type", "order.forgotten");
    assertThat(letter.get("once_reason"))
        .endsWith("no method of handler projection_worker takes events of type order.forgotten");
    assertThat(seen(event)).isEmpty();
  }

  @Test
  void sendsAnEventToTheDeadLetterTopicAfterAsManyAttemptsAsTheVariableSays() throws Exception {
    Event event = event("order.indexed", "belt", 1);
    publish(event);
    ProcessedEvent dead = await("projection_worker", event, ProcessedState.DEAD);
    Map<String, String> letter = letter("projection_worker_dlq", event);

    assertThat(dead.attempts()).isEqualTo(2);
    assertThat(letter)
        .containsEntry("once_handler", "projection_worker")
        .containsEntry("once_attempts", "2")
        .containsEntry("ce_type", "order.indexed");
    assertThat(letter.get("once_reason")).contains("no index for belt");
  }

  @Test
  void givesUpDataThatIsNotWhatTheMethodTakesAndDoesNotQuoteIt() throws Exception {
    Event event = event("order.placed", "vest", 1, "{\"item\":secret}");
    publish(event);
    ProcessedEvent dead = await("billing", event, ProcessedState.DEAD);

    assertThat(dead.attempts()).isEqualTo(1);
    assertThat(dead.error().orElseThrow())
        .contains(OrderPlaced.class.getName())
        .doesNotContain("secret");
  }

  @Test
  void publishesAnEventOfACommittedTransactionAndNoneOfARolledBackOne() {
    EventData lost = data("order.placed", "gloves", "{\"item\":\"gloves\"}");
    EventData kept = data("order.placed", "socks", "{\"item\":\"socks\"}");
    Desk desk = app.bean(Desk.class);

    assertThatThrownBy(() -> desk.takeAndFail(lost)).hasMessage("failed after appending");
    desk.take(kept);
    Polling.until(() -> app.orders("socks"), it -> it == 1);

    assertThat(app.bean(EventStore.class).find(lost.id())).isEmpty();
    assertThat(app.orders("gloves")).isZero();
    assertThat(registry.find("billing", lost.id())).isEmpty();
  }

  @Test
  void keepsItsTablesInTheSchemaThatTheVariableNames() {
    assertThat(
            JdbcClient.create(database)
                .sql("SELECT schemaname FROM pg_tables WHERE tablename = 'processed_event'")
                .query(String.class)
                .list())
        .contains("shop_events");
  }

  @Test
  void removesEventsFromTheRegistryThatWereHandledLongAgo() throws Exception {
    Event event = event("order.placed", "old", 1);
    publish(event);
    await("billing", event, ProcessedState.DONE);
    JdbcClient.create(database)
        .sql(
            """
            UPDATE shop_events.processed_event
            SET started_at = started_at - interval '31 days',
              finished_at = finished_at - interval '31 days'
            WHERE event_id = ?
            """)
        .param(event.id())
        .update();

    app.bean(EventsPurge.class).afterPurge();

    assertThat(registry.find("billing", event.id())).isEmpty();
  }

  @Test
  void reportsItsConsumersAsHealthyAndByGauges() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    new ConsumerGauges(app.bean(EventConsumers.class)).bindTo(meters);

    Health health = app.bean(EventsHealthIndicator.class).health();

    assertThat(health.getStatus()).isEqualTo(Status.UP);
    assertThat(health.getDetails())
        .containsEntry("billing", "running")
        .containsOnlyKeys("billing", "mailer", "projection_worker");
    assertThat(meters.get("once_consumer_paused").tag("handler", "billing").gauge().value())
        .isZero();
    Polling.until(
        () -> meters.get("once_consumer_lag").tag("handler", "billing").gauge().value(),
        it -> it == 0);
  }

  /** DashboardTest of the planning service checks the names of others. */
  @Test
  void countsWhatTheAlertsAskFor() throws Exception {
    publish(event("order.indexed", "sash", 1)); // Which fails, and is counted.
    String alerts = Files.readString(Path.of("../docs/operating/prometheus-alerts.yaml"));
    Set<String> names =
        Pattern.compile("\\bonce_(consumer|relay)_[a-z_]+")
            .matcher(alerts)
            .results()
            .map(it -> it.group().replaceFirst("_(total|seconds)$", ""))
            .collect(Collectors.toSet());
    assertThat(names).contains("once_consumer_events").hasSizeGreaterThan(3);
    MeterRegistry meters = app.bean(MeterRegistry.class);

    Polling.until(
        () -> names.stream().filter(it -> meters.find(it).meters().isEmpty()).toList(),
        List::isEmpty);
    for (String event : List.of("dead", "skipped", "unreadable")) {
      assertThat(meters.find("once_consumer_events").tag("event", event).counters()).isNotEmpty();
    }
  }

  @Test
  void logsARecordThatIsNoEventAndCountsIt() throws Exception {
    try (LogLines log = LogLines.of(ConsumerLog.class);
        KafkaProducer<String, String> producer =
            new KafkaProducer<>(kafka.client(), new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>("orders", 0, "plain", "{}")).get();
      List<String> lines =
          Polling.until(
              () ->
                  log.lines().stream()
                      .filter(it -> it.startsWith("WARN event.unreadable handler=mailer"))
                      .toList(),
              it -> !it.isEmpty());

      assertThat(lines.get(0))
          .matches(".* record=orders-0@\\d+ reason=\"envelope of an event lacks .*\"");
      assertThat(
              app.bean(MeterRegistry.class)
                  .get("once_consumer_events")
                  .tags("handler", "mailer", "event", "unreadable")
                  .counter()
                  .count())
          .isPositive();
    }
  }

  /** Orders that an ORM writes when its transaction is committed, or flushed before. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(JpaOrders.class)
  static class JpaEvents {
    @Bean
    LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
      LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
      factory.setDataSource(dataSource);
      factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
      factory.setManagedTypes(PersistenceManagedTypes.of(JpaRouteTest.OrderEntity.class.getName()));
      return factory;
    }

    @Bean
    JpaTransactionManager transactionManager() {
      return new JpaTransactionManager();
    }
  }

  @Service
  static class JpaOrders {
    @PersistenceContext
    @SuppressWarnings("NullAway.Init")
    EntityManager entities;

    @OnceEvent(handler = "jpa", topics = "jpa_orders", mode = OnceEvent.Mode.TRANSACTIONAL)
    public void place(OrderPlaced placed, Event event) {
      JpaRouteTest.OrderEntity order = new JpaRouteTest.OrderEntity();
      order.id = (int) (1000 + event.sequence());
      order.item = placed.item();
      entities.persist(order);
    }
  }

  @Test
  void flushesAnOrmBeforeItSettlesTheEvent() throws Exception {
    Event first = event("jpa_orders", "order.placed", "lamp", 1);
    Event second = event("jpa_orders", "order.placed", "lamp", 2, "{\"item\":\"lamp\"}");
    try (App jpa =
        start(
            JpaEvents.class,
            database,
            "once.events.handlers.jpa.attempts=2",
            "once.events.handlers.jpa.first-delay=1ms",
            "once.events.handlers.jpa.give-up=skip")) {
      ProcessedEvents processed = jpa.bean(ProcessedEvents.class);
      publish(first);
      publish(second);

      assertThat(await(processed, "jpa", first, ProcessedState.DONE).attempts()).isEqualTo(1);
      ProcessedEvent refused = await(processed, "jpa", second, ProcessedState.SKIPPED);
      assertThat(refused.attempts()).isEqualTo(2);
      assertThat(refused.error().orElseThrow()).contains("orders_item_key");
      assertThat(jpa.orders("lamp")).isEqualTo(1);
    }
  }

  /** Notes what it gets, and waits if a test wants that. */
  @Service
  @EnableAutoConfiguration
  static class Notes {
    final List<String> noted = new ArrayList<>();
    final CountDownLatch started = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);

    @OnceEvent(handler = "notes", topics = "notes")
    public void note(String data) throws InterruptedException {
      started.countDown();
      released.await();
      noted.add(data);
    }
  }

  @Test
  void worksWithoutARegistryAndSaysWhatIsLost() throws Exception {
    try (App bare =
            start(
                Notes.class,
                "once.events.handlers.notes.topics=bare_notes",
                "ENABLE_PROCESSED_EVENT_REGISTRY=false");
        LogLines log = LogLines.of(ConsumerLog.class);
        LogLines starts = LogLines.of(EventConsumers.class)) {
      EventConsumers consumers = bare.bean(EventConsumers.class);
      consumers.stop();
      consumers.start(); // As Spring restarts a context, and now with a log.
      Notes notes = bare.bean(Notes.class);
      notes.released.countDown();
      publish(event("bare_notes", "noted", "a", 1));

      Polling.until(() -> List.copyOf(notes.noted), it -> it.size() == 1);
      assertThat(bare.tables("processed_event")).isZero();
      assertThat(starts.lines())
          .anyMatch(it -> it.contains("handler=notes topics=bare_notes mode=leased registry=off"));
      assertThat(log.lines())
          .anyMatch(it -> it.startsWith("WARN events.registry_disabled handler=notes lost="));
    }
  }

  @Test
  void finishesARunningMethodBeforeItsBeansAreGone() throws Exception {
    Event event = event("notes", "noted", "b", 1);
    App closing = start(Notes.class, database);
    Notes notes = closing.bean(Notes.class);
    ProcessedEvents processed = closing.bean(ProcessedEvents.class);
    publish(event);
    assertThat(notes.started.await(30, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(closing::close);
    Polling.until(closing::isClosing, it -> it);
    assertThat(processed.find("notes", event.id()).orElseThrow().state())
        .isEqualTo(ProcessedState.PROCESSING);
    notes.released.countDown();
    closed.get(30, TimeUnit.SECONDS);

    assertThat(notes.noted).hasSize(1);
    assertThat(
            JdbcClient.create(database)
                .sql("SELECT state FROM spice_event_registry.processed_event WHERE event_id = ?")
                .param(event.id())
                .query(String.class)
                .single())
        .isEqualTo("done");
  }

  @Test
  void isDownAfterAConsumerEndedByItself() throws Exception {
    PGSimpleDataSource own = App.newDatabase();
    try (App failing =
            start(
                Notes.class,
                own,
                "once.events.handlers.notes.topics=lost_notes",
                "once.events.handlers.notes.on-outage=fail-fast");
        LogLines log = LogLines.of(RunningConsumer.class)) {
      JdbcClient.create(own).sql("DROP SCHEMA spice_event_registry CASCADE").update();
      publish(event("lost_notes", "noted", "c", 1));
      EventsHealthIndicator indicator = failing.bean(EventsHealthIndicator.class);

      Health health = Polling.until(indicator::health, it -> it.getStatus().equals(Status.DOWN));
      assertThat(health.getDetails()).containsEntry("notes", "failed");
      Polling.until(log::lines, it -> !it.isEmpty());
      assertThat(log.lines()).allMatch(it -> it.startsWith("ERROR events.ended handler=notes"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Notes.class, Reports.class})
  static class ReportedNotes {}

  @Test
  void waitsForAMissingEventWhereEveryOneIsNeeded() throws Exception {
    Event first = event("every_notes", "noted", "d", 1, "first");
    Event second = event("every_notes", "noted", "d", 2, "second");
    Event third = event("every_notes", "noted", "d", 3, "third");
    try (App app =
        start(
            ReportedNotes.class,
            database,
            "once.events.handlers.notes.topics=every_notes",
            "once.events.handlers.notes.sequence=every",
            "once.events.handlers.notes.max-wait=1h")) {
      Notes notes = app.bean(Notes.class);
      Reports reports = app.bean(Reports.class);
      notes.released.countDown();
      publish(third);
      publish(second);
      Polling.until(() -> reports.of(ConsumerEvent.Waiting.class), it -> !it.isEmpty());
      assertThat(notes.noted).isEmpty();
      publish(first);
      await(app.bean(ProcessedEvents.class), "notes", third, ProcessedState.DONE);

      assertThat(notes.noted).containsExactly("first", "second", "third");
    }
  }

  @Test
  void givesUpAnEventWhoseForerunnerDoesNotComeIfThatIsChosen() throws Exception {
    Event second = event("late_notes", "noted", "e", 2, "second");
    try (App app =
        start(
            Notes.class,
            database,
            "once.events.handlers.notes.topics=late_notes",
            "once.events.handlers.notes.sequence=every",
            "once.events.handlers.notes.max-wait=100ms",
            "once.events.handlers.notes.missing=give-up",
            "once.events.handlers.notes.dead-letter-topic=late_notes_dlq")) {
      publish(second);
      ProcessedEvent dead =
          await(app.bean(ProcessedEvents.class), "notes", second, ProcessedState.DEAD);

      assertThat(dead.error()).contains("the event before it did not come within PT0.1S");
      assertThat(letter("late_notes_dlq", second)).containsEntry("once_handler", "notes");
      assertThat(app.bean(Notes.class).started.getCount()).isEqualTo(1);
    }
  }

  @Test
  void pausesWhileTheRegistryCannotBeReachedAndHandlesTheEventAfterThat() throws Exception {
    PGSimpleDataSource own = App.newDatabase();
    Event event = event("paused_notes", "noted", "f", 1, "kept");
    try (App app = start(Notes.class, own, "once.events.handlers.notes.topics=paused_notes")) {
      Notes notes = app.bean(Notes.class);
      EventsHealthIndicator indicator = app.bean(EventsHealthIndicator.class);
      notes.released.countDown();
      JdbcClient.create(own).sql("ALTER SCHEMA spice_event_registry RENAME TO away").update();
      publish(event);
      Health outage =
          Polling.until(indicator::health, it -> it.getStatus().equals(Status.OUT_OF_SERVICE));
      assertThat(notes.noted).isEmpty();
      JdbcClient.create(own).sql("ALTER SCHEMA away RENAME TO spice_event_registry").update();
      await(app.bean(ProcessedEvents.class), "notes", event, ProcessedState.DONE);

      assertThat(outage.getDetails()).containsEntry("notes", "paused");
      assertThat(notes.noted).containsExactly("kept");
      assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
    }
  }

  @Test
  void sendsEventsToTheDeadLetterTopicWhileTheRegistryCannotBeReachedIfThatIsChosen()
      throws Exception {
    PGSimpleDataSource own = App.newDatabase();
    Event event = event("dead_notes", "noted", "g", 1, "never");
    try (App app =
        start(
            Notes.class,
            own,
            "once.events.handlers.notes.topics=dead_notes",
            "once.events.handlers.notes.dead-letter-topic=dead_notes_dlq",
            "once.events.handlers.notes.on-outage=dead-letter")) {
      JdbcClient.create(own).sql("ALTER SCHEMA spice_event_registry RENAME TO away").update();
      publish(event);
      Map<String, String> letter = letter("dead_notes_dlq", event);
      JdbcClient.create(own).sql("ALTER SCHEMA away RENAME TO spice_event_registry").update();
      await(app.bean(ProcessedEvents.class), "notes", event, ProcessedState.DEAD);

      assertThat(letter.get("once_reason")).startsWith("the registry cannot be reached");
      assertThat(app.bean(Notes.class).started.getCount()).isEqualTo(1);
    }
  }

  @Test
  void handlesTheEventsOfAProcessThatWasKilledAfterItsMethodsWrote() throws Exception {
    PGSimpleDataSource own = App.newDatabase();
    JdbcClient.create(own)
        .sql("CREATE TABLE mail (event_id text, attempt int, fence bigint)")
        .update();
    Event event = event("crashing", "order.placed", "coat", 1);
    String[] settings = {
      "spring.main.web-application-type=none",
      "spring.main.keep-alive=true", // Threads of consumers are daemons.
      "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
      "once.events.kafka.properties.metadata.max.age.ms=500",
      // The broker gives the partitions of a killed process to the next one without waiting.
      "once.events.kafka.properties.group.instance.id=shop",
      "once.events.registry.lease=3s",
      "once.events.registry.heartbeat=1s"
    };
    try (Program killed = Program.start(CrashingShop.class, own, settings)) {
      publish(event);
      killed.awaitLine("written");
      killed.awaitLine("written");
      killed.kill();
    }
    assertThat(mails(own, event)).hasSize(1);
    try (App next = App.start(CrashingShop.Methods.class, own, settings)) {
      ProcessedEvents processed = next.bean(ProcessedEvents.class);
      ProcessedEvent bill = await(processed, "crashing_bill", event, ProcessedState.DONE);
      ProcessedEvent mail = await(processed, "crashing_mail", event, ProcessedState.DONE);

      // The write of the killed transaction is gone, or this one would have failed: items are
      // unique.
      assertThat(next.orders("coat")).isEqualTo(1);
      assertThat(bill.attempts()).isEqualTo(2);
      assertThat(mail.attempts()).isEqualTo(2);
      assertThat(mails(own, event))
          .hasSize(2)
          .isSortedAccordingTo(Comparator.comparingLong(Long::longValue))
          .doesNotHaveDuplicates();
    }
  }

  /** The fences of the mails of an event, in the order of its attempts. */
  private static List<Long> mails(PGSimpleDataSource database, Event event) {
    return JdbcClient.create(database)
        .sql("SELECT fence FROM mail WHERE event_id = ? ORDER BY attempt")
        .param(event.id())
        .query((row, number) -> row.getLong("fence"))
        .list();
  }

  private static App start(Class<?> application, String... settings) {
    return start(application, App.newDatabase(), settings);
  }

  private static App start(Class<?> application, PGSimpleDataSource database, String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("spring.main.web-application-type=none");
    all.add("spring.kafka.bootstrap-servers=" + kafka.bootstrapServers());
    all.add("once.events.kafka.properties.metadata.max.age.ms=500"); // Sees new topics soon.
    return App.start(application, database, all.toArray(String[]::new));
  }

  private static void publish(Event event) throws InterruptedException {
    publisher.publish(List.of(event), TIMEOUT);
  }

  private static Event event(String type, String item, long sequence) {
    return event("orders", type, item, sequence);
  }

  private static Event event(String type, String item, long sequence, String data) {
    return event("orders", type, item, sequence, data);
  }

  private static Event event(String topic, String type, String item, long sequence) {
    return event(topic, type, item, sequence, "{\"item\":\"" + item + "\"}");
  }

  private static Event event(String topic, String type, String item, long sequence, String data) {
    return new Event(
        EventData.of(item + "-" + sequence, new Aggregate(topic, item), type, data),
        sequence,
        Instant.parse("2026-01-08T00:00:00Z"));
  }

  private static EventData data(String type, String item, String data) {
    return EventData.of("appended-" + item, new Aggregate("order", item), type, data);
  }

  private static void failOnce(Event event) {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    listeners.afterwards.put(
        event.id(),
        it -> {
          if (isFirst.getAndSet(false)) {
            throw new IllegalStateException("not yet");
          }
        });
  }

  private static List<Seen> seen(Event event) {
    return listeners.seen.stream().filter(it -> it.eventId().equals(event.id())).toList();
  }

  /** The ids of the events that a handler settled in a way. */
  private static List<String> settled(String handler, Class<? extends Settlement> how) {
    return app.bean(Reports.class).of(ConsumerEvent.Settled.class).stream()
        .filter(it -> it.handler().equals(handler) && how.isInstance(it.settlement()))
        .map(it -> it.settlement().event().id())
        .toList();
  }

  private static ProcessedEvent await(String handler, Event event, ProcessedState state) {
    return await(registry, handler, event, state);
  }

  private static ProcessedEvent await(
      ProcessedEvents registry, String handler, Event event, ProcessedState state) {
    return Polling.until(
            () -> registry.find(handler, event.id()),
            it -> it.map(ProcessedEvent::state).filter(state::equals).isPresent())
        .orElseThrow();
  }

  /** The headers of an event's letter. */
  private static Map<String, String> letter(String topic, Event event) {
    Map<String, Object> config = new HashMap<>(kafka.client());
    config.put("group.id", "test-" + topic);
    config.put("auto.offset.reset", "earliest");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(topic));
      return Polling.until(
          () -> {
            for (ConsumerRecord<byte[], byte[]> it : consumer.poll(Duration.ofMillis(100))) {
              Map<String, String> headers = new HashMap<>();
              it.headers()
                  .forEach(
                      h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
              if (Objects.equals(headers.get("ce_id"), event.id())) {
                return headers;
              }
            }
            return Map.<String, String>of();
          },
          it -> !it.isEmpty());
    }
  }
}
