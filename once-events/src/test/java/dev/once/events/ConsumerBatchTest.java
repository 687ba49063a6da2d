package dev.once.events;

import static dev.once.events.RegistryDatabase.HANDLER;
import static dev.once.events.Settlements.await;
import static dev.once.events.Settlements.until;
import static dev.once.events.TestEvents.event;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many statements a batch of events costs. */
class ConsumerBatchTest {
  @RegisterExtension static final RegistryDatabase DATABASE = new RegistryDatabase("batch");

  private static final int EVENTS = 200;

  private final AtomicInteger claims = new AtomicInteger();
  private final AtomicInteger settlements = new AtomicInteger();
  private final AtomicInteger effects = new AtomicInteger();
  private final CountDownLatch allHandled = new CountDownLatch(1);

  @Test
  void eventsOfOnePollAreClaimedByOneStatementAndSettledTogether() {
    TestSource counting = () -> count(DATABASE.pool().getConnection());
    ProcessedEvents registry =
        ProcessedEvents.builder(counting.toDataSource()).schema(RegistryDatabase.SCHEMA).build();
    List<Event> events =
        IntStream.range(0, EVENTS).mapToObj(it -> event("order-" + it, 1)).toList();

    try (EventConsumer consumer =
        EventConsumer.named(HANDLER)
            .registry(registry)
            .start((event, execution) -> effects.incrementAndGet())) {
      List<CompletableFuture<Settlement>> handled = consumer.submit(events);
      // The first effects to end are settled at once; the others end while that takes its time.
      until(() -> effects.get() == EVENTS, "all effects");
      allHandled.countDown();

      assertThat(await(handled)).allMatch(Settlement.Handled.class::isInstance);
    }
    assertThat(claims).hasValue(1);
    assertThat(settlements).hasValueBetween(1, 2);
  }

  /** Counts statements by the functions that they call, and holds up the first settlement. */
  private Connection count(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            ConsumerBatchTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                prepared((String) arguments[0]);
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void prepared(String sql) throws InterruptedException {
    if (sql.contains("claim_events(")) {
      claims.incrementAndGet();
    } else if (sql.contains("settle_events(") && settlements.incrementAndGet() == 1) {
      allHandled.await();
    }
  }
}
