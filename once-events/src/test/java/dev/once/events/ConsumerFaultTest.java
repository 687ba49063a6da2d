package dev.once.events;

import static dev.once.events.RegistryDatabase.HANDLER;
import static dev.once.events.Settlements.await;
import static dev.once.events.Settlements.until;
import static dev.once.events.TestEvents.event;
import static dev.once.events.TestEvents.events;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors in each thread of a consumer, connections that hang or are missing, unusual callers. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("ConsumerFaultTest")
class ConsumerFaultTest {
  @RegisterExtension static final RegistryDatabase DATABASE = new RegistryDatabase("fault");

  private static final ThreadLocal<Connection> AMBIENT = new ThreadLocal<>();

  private static final Duration LEASE = Duration.ofSeconds(2);

  private final RecordedConsumerEvents reports = new RecordedConsumerEvents();
  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void close() throws Exception {
    gate.countDown();
    Collections.reverse(opened);
    for (AutoCloseable it : opened) {
      it.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-claim", "-settle"})
  void survivesAnErrorInAThread(String thread) {
    AtomicInteger errors = new AtomicInteger(2);
    TestSource source =
        () -> {
          if (isThread(thread) && errors.getAndDecrement() > 0) {
            throw new OutOfMemoryError("simulated");
          }
          return DATABASE.pool().getConnection();
        };
    EventConsumer consumer = start(source.toDataSource());

    Settlements.handle(consumer, events("a", 2));
    Settlements.handle(consumer, events("b", 1));

    assertThat(effects).containsSubsequence("a-1", "a-2").contains("b-1");
    assertThat(errors).hasValueLessThan(0);
    assertThat(reports.all(ConsumerEvent.Trouble.class))
        .anyMatch(it -> it.cause().getCause() instanceof OutOfMemoryError);
  }

  @Test
  void survivesAnErrorWhileRenewing() {
    AtomicInteger errors = new AtomicInteger(2);
    TestSource source =
        () -> {
          if (isThread("-renew") && errors.getAndDecrement() > 0) {
            throw new OutOfMemoryError("simulated");
          }
          return DATABASE.pool().getConnection();
        };
    CompletableFuture<Settlement> slow = startSlow(source.toDataSource());
    awaitRenewals();
    gate.countDown();

    assertThat(await(slow)).isInstanceOf(Settlement.Handled.class);
    assertThat(effects).containsExactly("a-1");
    assertThat(reports.all(ConsumerEvent.Trouble.class)).isNotEmpty();
    assertThat(reports.all(ConsumerEvent.LeaseLost.class)).isEmpty();
  }

  @Test
  void anErrorInAnEffectIsAFailedAttempt() {
    AtomicInteger errors = new AtomicInteger(1);
    EventConsumer consumer =
        start(
            DATABASE.pool(),
            (event, execution) -> {
              if (errors.getAndDecrement() > 0) {
                throw new OutOfMemoryError("simulated");
              }
              effects.add(event.id());
            });

    Settlements.handle(consumer, events("a", 2));

    assertThat(effects).containsExactly("a-1", "a-2");
    assertThat(reports.all(ConsumerEvent.Failed.class)).hasSize(1);
  }

  @Test
  void aRenewalThatHangsIsReplacedBeforeTheLeaseEnds() {
    AtomicInteger hanging = new AtomicInteger(1);
    TestSource source =
        () -> {
          if (isThread("-renew") && hanging.getAndDecrement() > 0) {
            awaitGate();
          }
          return DATABASE.pool().getConnection();
        };
    CompletableFuture<Settlement> slow = startSlow(source.toDataSource());
    awaitRenewals();
    gate.countDown();

    assertThat(await(slow)).isInstanceOf(Settlement.Handled.class);
    assertThat(reports.all(ConsumerEvent.LeaseLost.class)).isEmpty();
    assertThat(reports.all(ConsumerEvent.Trouble.class))
        .anyMatch(it -> String.valueOf(it.cause().getMessage()).contains("another connection"));
  }

  @Test
  void anEffectIsInterruptedInTimeWhileAllRenewalsHang() {
    TestSource source =
        () -> {
          if (isThread("-renew")) {
            awaitGate();
          }
          return DATABASE.pool().getConnection();
        };
    List<Duration> interrupted = new CopyOnWriteArrayList<>();
    var unused =
        start(
                source.toDataSource(),
                (event, execution) -> {
                  long started = System.nanoTime();
                  try {
                    gate.await();
                  } catch (InterruptedException e) {
                    interrupted.add(Duration.ofNanos(System.nanoTime() - started));
                    throw e;
                  }
                })
            .submit(event("a", 1));

    until(() -> !interrupted.isEmpty(), "the effect is interrupted");

    assertThat(interrupted.get(0)).isLessThan(LEASE.plusSeconds(2));
    assertThat(hangingThreads()).isLessThanOrEqualTo(5);
  }

  @Test
  void pausesWhileThePoolHasNoConnectionLeft() throws SQLException {
    HikariDataSource small = pool(it -> it.setMaximumPoolSize(3));
    EventConsumer consumer = start(small);
    Settlements.handle(consumer, events("a", 1)); // The heartbeat has its connection by now.
    CompletableFuture<Settlement> waiting;
    try (Connection first = small.getConnection();
        Connection second = small.getConnection()) {
      assertThat(first).isNotSameAs(second);
      waiting = consumer.submit(event("a", 2));
      until(consumer::isPaused, "paused");
      assertThat(waiting).isNotDone();
    }

    assertThat(await(waiting)).isInstanceOf(Settlement.Handled.class);
    assertThat(reports.all(ConsumerEvent.OutageStarted.class)).hasSize(1);
  }

  @Test
  void worksWithConnectionsThatDoNotCommitByThemselves() {
    HikariDataSource manual = pool(it -> it.setAutoCommit(false));
    EventConsumer leased = start(manual);
    EventConsumer transactional =
        EventConsumer.named("ledger")
            .registry(registry(manual))
            .startTransactional(
                (event, connection) -> {
                  try (var insert =
                      connection.prepareStatement("INSERT INTO effect (event_id) VALUES (?)")) {
                    insert.setString(1, event.id());
                    insert.executeUpdate();
                  }
                });
    opened.add(transactional);

    Settlements.handle(leased, events("a", 3));
    Settlements.handle(transactional, events("a", 3));

    assertThat(DATABASE.effects()).containsExactly("a-1", "a-2", "a-3");
    assertThat(registry(manual).find(HANDLER, "a-3").orElseThrow().state())
        .isEqualTo(ProcessedState.DONE);
    assertThat(registry(manual).lastSequence("ledger", event("a", 1).aggregate())).isEqualTo(3);
    assertThat(registry(manual).purge(Duration.ofHours(1))).isZero();
  }

  @Test
  void doesNotJoinTheTransactionOfTheThreadThatSubmits() throws SQLException {
    TestSource joining =
        () -> {
          if (AMBIENT.get() != null) {
            throw new AssertionError("the caller's transaction is used");
          }
          return DATABASE.pool().getConnection();
        };
    EventConsumer consumer = start(joining.toDataSource());
    CompletableFuture<Settlement> settlement;
    try (Connection transaction = DATABASE.pool().getConnection()) {
      transaction.setAutoCommit(false);
      AMBIENT.set(transaction);
      settlement = consumer.submit(event("a", 1));
      transaction.rollback();
      transaction.setAutoCommit(true);
    } finally {
      AMBIENT.remove();
    }

    assertThat(await(settlement)).isInstanceOf(Settlement.Handled.class);
    assertThat(DATABASE.states()).containsExactly("a-1 done");
  }

  @Test
  void acceptsAnEventOfAnInterruptedCaller() {
    EventConsumer consumer = start(DATABASE.pool());
    Thread.currentThread().interrupt();

    CompletableFuture<Settlement> settlement = consumer.submit(event("a", 1));

    assertThat(Thread.interrupted()).as("the caller's interrupt stays").isTrue();
    assertThat(await(settlement)).isInstanceOf(Settlement.Handled.class);
    assertThat(effects).containsExactly("a-1");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void handlesEventsOfVirtualThreadsWithEffectsThatUseSuch() throws Exception {
    // By reflection: the code is compiled for Java 17.
    Method factory = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
    ExecutorService virtual = (ExecutorService) factory.invoke(null);
    opened.add(virtual::shutdownNow);
    EventConsumer consumer =
        start(
            DATABASE.pool(),
            (event, execution) -> virtual.submit(() -> effects.add(event.id())).get());
    List<CompletableFuture<Settlement>> settlements = new CopyOnWriteArrayList<>();

    for (int i = 0; i < 100; i++) {
      Event event = event("order-" + i, 1);
      virtual.execute(() -> settlements.add(consumer.submit(event)));
    }
    until(() -> settlements.size() == 100, "all are submitted");

    assertThat(await(settlements)).allMatch(Settlement.Handled.class::isInstance);
    assertThat(effects).hasSize(100).doesNotHaveDuplicates();
  }

  private EventConsumer start(DataSource dataSource) {
    return start(dataSource, (event, execution) -> effects.add(event.id()));
  }

  private EventConsumer start(DataSource dataSource, EventEffect effect) {
    EventConsumer consumer =
        EventConsumer.named(HANDLER)
            .registry(registry(dataSource))
            .retries(EventRetryPolicy.SKIP.withDelays(Duration.ofMillis(1), Duration.ofMillis(20)))
            .checkInterval(Duration.ofMillis(50))
            .drain(Duration.ZERO)
            .listener(reports)
            .start(effect);
    opened.add(consumer);
    return consumer;
  }

  /** Starts an effect that lasts until the gate opens. */
  private CompletableFuture<Settlement> startSlow(DataSource dataSource) {
    return start(
            dataSource,
            (event, execution) -> {
              gate.await();
              effects.add(event.id());
            })
        .submit(event("a", 1));
  }

  /** Waits until leases were renewed for longer than one lasts. */
  private static void awaitRenewals() {
    long start = System.nanoTime();
    until(
        () ->
            System.nanoTime() - start > LEASE.multipliedBy(2).toNanos()
                && DATABASE
                    .query(
                        "SELECT lease_until > clock_timestamp() AND heartbeat_at > started_at FROM registry.processed_event")
                    .contains("t"),
        "the lease is renewed");
  }

  private static ProcessedEvents registry(DataSource dataSource) {
    return ProcessedEvents.builder(dataSource)
        .schema(RegistryDatabase.SCHEMA)
        .lease(LEASE)
        .heartbeat(LEASE.dividedBy(4))
        .build();
  }

  private HikariDataSource pool(Consumer<HikariConfig> settings) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(DATABASE.direct());
    config.setMinimumIdle(0);
    config.setConnectionTimeout(250);
    settings.accept(config);
    HikariDataSource pool = new HikariDataSource(config);
    opened.add(pool);
    return pool;
  }

  private void awaitGate() {
    boolean isOpen = false;
    while (!isOpen) {
      try {
        gate.await();
        isOpen = true;
      } catch (InterruptedException e) {
        // As a driver does that waits for its server.
      }
    }
  }

  private static boolean isThread(String suffix) {
    return Thread.currentThread().getName().endsWith(suffix);
  }

  private static long hangingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().endsWith("-renew"))
        .count();
  }
}
