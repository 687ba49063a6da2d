package dev.once.opensearch;

import static dev.once.opensearch.TestReadModel.CHANGED;
import static dev.once.opensearch.TestReadModel.DELETED;
import static dev.once.opensearch.TestReadModel.data;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.EventConsumer;
import dev.once.events.EventDatabase;
import dev.once.events.EventLog;
import dev.once.events.PostgresEventStore;
import dev.once.events.Settlement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Rebuilds while events are appended, projected and searched. */
class LiveRebuildTest {
  private static final int REBUILDS = 3;
  private static final int MAX_BEHIND = 200;

  private final TestReadModel orders = TestReadModel.create();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Semaphore behind = new Semaphore(MAX_BEHIND);
  private volatile boolean rebuilding = true;

  LiveRebuildTest() throws InterruptedException {}

  @Test
  void losesNothingAndShowsNoOlderState() throws Exception {
    try (EventDatabase database = new EventDatabase("rebuild");
        SearchProjection projection = SearchProjection.start(orders.model());
        EventConsumer consumer =
            EventConsumer.named("projection").withoutRegistry().start(projection)) {
      PostgresEventStore store = PostgresEventStore.over(database.dataSource());
      Future<Integer> appended = threads.submit(() -> append(store));
      Future<Integer> relayed = threads.submit(() -> relay(store.log(), consumer, appended));
      Future<Integer> searches = threads.submit(this::search);

      Rebuild rebuild = Rebuild.of(orders.model(), store.log());
      List<String> replaced = new ArrayList<>();
      for (int i = 0; i < REBUILDS; i++) {
        replaced.add(rebuild.run());
        assertThat(rebuild.removeOld()).containsExactly(replaced.get(i));
      }
      rebuilding = false;

      assertThat(replaced).doesNotHaveDuplicates();
      assertThat(relayed.get()).isEqualTo(appended.get()).isPositive();
      assertThat(searches.get()).isPositive();
      CheckReport report = ProjectionCheck.of(orders.model(), store.log()).run();
      assertThat(report.differences()).isEmpty();
      assertThat(report.events()).isEqualTo(appended.get().longValue());
    } finally {
      rebuilding = false;
      threads.shutdownNow();
    }
  }

  /** Appends events, as far ahead of the projection as is allowed. */
  private int append(PostgresEventStore store) throws InterruptedException {
    Random random = new Random(7);
    int appended = 0;
    while (rebuilding) {
      behind.acquire();
      String order = "order-" + random.nextInt(20);
      String type = random.nextInt(10) == 0 ? DELETED : CHANGED;
      store.append(data("event-" + appended, order, type, "{\"count\": " + appended + "}"));
      appended++;
    }
    return appended;
  }

  /** Gives the log's events to the consumer, until all are appended and handled. */
  private int relay(EventLog log, EventConsumer consumer, Future<Integer> appended)
      throws Exception {
    List<CompletableFuture<Settlement>> settlements = new ArrayList<>();
    String position = EventLog.START;
    while (!appended.isDone() || settlements.size() < appended.get()) {
      EventLog.Page page = log.read(position, 100);
      List<CompletableFuture<Settlement>> submitted = consumer.submit(page.events());
      for (CompletableFuture<Settlement> settlement : submitted) {
        assertThat(settlement.get())
            .isInstanceOfAny(Settlement.Handled.class, Settlement.Stale.class);
      }
      settlements.addAll(submitted);
      behind.release(submitted.size());
      position = page.next();
    }
    return settlements.size();
  }

  /** Searches, and expects each order's version to be at least that of the search before. */
  private int search() throws Exception {
    String path = "/" + orders.model().name() + "/_search?size=100&version=true";
    Map<String, Long> seen = new HashMap<>();
    int searches = 0;
    while (rebuilding) {
      var response = TestOpenSearch.client().call("GET", path, Json.EMPTY);
      assertThat(response.status()).isEqualTo(200);
      response
          .body()
          .at("/hits/hits")
          .forEach(
              hit -> {
                long version = hit.path("_version").asLong();
                Long before = seen.put(hit.path("_id").asString(), version);
                assertThat(version).isGreaterThanOrEqualTo(before == null ? 0 : before);
              });
      searches++;
    }
    return searches;
  }
}
