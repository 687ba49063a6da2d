package dev.once.opensearch;

import static dev.once.opensearch.TestReadModel.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventDatabase;
import dev.once.events.EventEffect;
import dev.once.events.ProcessedEvents;
import dev.once.events.ProcessedState;
import dev.once.events.Settlement;
import dev.once.events.SeverableSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * A projection that crashes around its write: another consumer takes over when its lease ends, and
 * the document is written once. The consumer that "crashes" is cut off from the registry, so that
 * its lease is not renewed and its event is not settled.
 */
class ProjectionCrashTest {
  private static final EventDatabase DATABASE = new EventDatabase("search");
  private static final String HANDLER = "projection";
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final TestReadModel orders = TestReadModel.create();
  private final String order = orders.model().name(); // The registry is that of all tests.
  private final SearchProjection projection = SearchProjection.start(orders.model());
  private final SeverableSource source = new SeverableSource(DATABASE.dataSource());
  private final CountDownLatch end = new CountDownLatch(1);
  private final CompletableFuture<String> crashed = new CompletableFuture<>();

  ProjectionCrashTest() throws InterruptedException {}

  @AfterEach
  void close() {
    end.countDown();
    projection.close();
  }

  @AfterAll
  static void closeDatabase() {
    DATABASE.close();
  }

  @Test
  void writesAfterACrashBeforeTheWrite() throws Exception {
    crash(
        (event, execution) -> {
          source.sever();
          crashed.complete("before the write");
          end.await();
        });
    assertThat(orders.document(order)).isEmpty();

    takeOver();

    assertThat(orders.document(order).orElseThrow().path("_version").asLong()).isEqualTo(1);
  }

  @Test
  void writesNothingMoreAfterACrashAfterTheWrite() throws Exception {
    crash(
        (event, execution) -> {
          projection.apply(event, execution);
          source.sever();
          crashed.complete("after the write");
          end.await();
        });
    JsonNode written = orders.document(order).orElseThrow();

    takeOver();

    assertThat(orders.document(order)).contains(written);
  }

  @Test
  void writesNothingMoreAfterACrashBeforeTheSettlement() throws Exception {
    crash(
        (event, execution) -> {
          projection.apply(event, execution);
          source.sever();
          crashed.complete("before the settlement");
        });
    JsonNode written = orders.document(order).orElseThrow();

    takeOver();

    assertThat(orders.document(order)).contains(written);
  }

  private void crash(EventEffect effect) throws Exception {
    EventConsumer consumer = consumer(source.toDataSource(), effect);
    CompletableFuture<Settlement> settlement = consumer.submit(event(order, 1));
    String point = crashed.get(60, TimeUnit.SECONDS);
    assertThat(settlement).as(point).isNotDone();
    assertThat(registry(DATABASE.dataSource()).find(HANDLER, order + "-1").orElseThrow().state())
        .isEqualTo(ProcessedState.PROCESSING);
  }

  private void takeOver() throws Exception {
    Event event = event(order, 1);
    try (EventConsumer consumer = consumer(DATABASE.dataSource(), projection)) {
      Settlement settlement = consumer.submit(event).get(60, TimeUnit.SECONDS);
      assertThat(settlement).isInstanceOf(Settlement.Handled.class);
      // More than 2 if the machine was too busy to renew a lease of a second.
      assertThat(((Settlement.Handled) settlement).attempt()).isGreaterThan(1);
    }
  }

  private static EventConsumer consumer(DataSource source, EventEffect effect) {
    return EventConsumer.named(HANDLER)
        .registry(registry(source))
        .drain(Duration.ZERO)
        .start(effect);
  }

  private static ProcessedEvents registry(DataSource source) {
    return ProcessedEvents.builder(source).lease(LEASE).heartbeat(LEASE.dividedBy(4)).build();
  }
}
