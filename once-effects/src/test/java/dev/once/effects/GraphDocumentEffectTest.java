package dev.once.effects;

import static dev.once.effects.TestEvents.changed;
import static dev.once.effects.TestEvents.deleted;
import static dev.once.effects.TestEvents.event;
import static dev.once.effects.TestEvents.noted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.effects.TestHttpServer.Fault;
import dev.once.effects.TestHttpServer.Held;
import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventExecution;
import dev.once.events.UnprocessableEventException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Documents in a graph store whose data version is that of the whole store. */
@Timeout(60)
class GraphDocumentEffectTest {
  private static final EventExecution FIRST = new EventExecution(1, 1);
  private static final String PUMP = "Order/order.2fpump";

  private final GraphServer server = new GraphServer();
  private final GraphDocumentEffect effect = newEffect();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    threads.shutdownNow();
    server.close();
  }

  @Test
  void aDocumentHasTheSequenceOfItsEvent() throws Exception {
    effect.apply(changed("pump", 7), FIRST);

    assertThat(server.document(PUMP).orElseThrow())
        .hasToString(
            "{\"@id\":\"Order/order.2fpump\",\"@type\":\"Order\",\"count\":7,\"once_sequence\":7,\"once_deleted\":false}");
  }

  @Test
  void aDeletionLeavesATombstone() throws Exception {
    effect.apply(changed("pump", 1), FIRST);

    effect.apply(deleted("pump", 2), FIRST);

    assertThat(server.document(PUMP).orElseThrow())
        .hasToString(
            "{\"@id\":\"Order/order.2fpump\",\"@type\":\"Order\",\"once_sequence\":2,\"once_deleted\":true}");
  }

  @Test
  void anEventIsWrittenOnce() throws Exception {
    server.http().next(Fault.NONE);
    server.http().next(Fault.LOST_ANSWER);
    assertThatThrownBy(() -> effect.apply(changed("pump", 1), FIRST))
        .isInstanceOf(EffectException.class);

    effect.apply(changed("pump", 1), FIRST);
    effect.apply(changed("pump", 1), FIRST);
    effect.apply(noted("pump", 2), FIRST);

    assertThat(server.commits()).containsExactly(PUMP + " 1");
  }

  @Test
  void theWriteOfAnOwnerThatWasPausedIsRefused() throws Exception {
    newEffect().apply(changed("pump", 1), FIRST);
    server.http().next(Fault.NONE);
    Held held = server.http().holdNext();
    Future<?> paused = threads.submit(() -> apply(effect, changed("pump", 2)));
    held.awaitArrival();
    newEffect().apply(changed("pump", 2), FIRST);
    newEffect().apply(changed("pump", 3), FIRST);

    held.release();

    paused.get(60, TimeUnit.SECONDS);
    assertThat(server.commits()).containsExactly(PUMP + " 1", PUMP + " 2", PUMP + " 3");
  }

  @Test
  void theInsertOfAnOwnerThatWasPausedIsRefused() throws Exception {
    server.http().next(Fault.NONE);
    Held held = server.http().holdNext();
    Future<?> paused = threads.submit(() -> apply(effect, changed("pump", 1)));
    held.awaitArrival();
    newEffect().apply(deleted("pump", 2), FIRST);

    held.release();

    paused.get(60, TimeUnit.SECONDS);
    assertThat(server.commits()).containsExactly(PUMP + " 2");
  }

  @Test
  void processesThatWriteAtTheSameTimeAllSucceed() throws Exception {
    List<GraphDocumentEffect> processes = Stream.generate(this::newEffect).limit(4).toList();
    List<Future<?>> writes = new ArrayList<>();
    for (int sequence = 1; sequence <= 10; sequence++) {
      for (int order = 0; order < 8; order++) {
        Event event = changed("order-" + order, sequence);
        GraphDocumentEffect process = processes.get((sequence + order) % processes.size());
        writes.add(threads.submit(() -> apply(process, event)));
      }
    }

    for (Future<?> write : writes) {
      write.get(60, TimeUnit.SECONDS);
    }

    for (int order = 0; order < 8; order++) {
      String id = effect.idOf(new Aggregate("order", "order-" + order));
      assertThat(server.document(id).orElseThrow().path("count").asInt()).isEqualTo(10);
    }
    assertThat(server.commits()).doesNotHaveDuplicates();
  }

  @Test
  void givesUpAnAttemptWhoseDataVersionAlwaysChanges() {
    RefusingStore store = new RefusingStore();

    assertThatThrownBy(() -> apply(of(store), changed("pump", 1)))
        .isInstanceOf(EffectException.class)
        .hasMessageContaining("20 writes");
    assertThat(store.writes).hasValue(GraphDocumentEffect.MAX_WRITES);
  }

  @Test
  void anInterruptEndsTheCall() throws Exception {
    Held held = server.http().holdNext();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                effect.apply(changed("pump", 1), FIRST);
              } catch (Throwable e) {
                thrown.complete(e);
              }
            });
    thread.start();
    held.awaitArrival();

    thread.interrupt();

    assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    effect.apply(changed("pump", 1), FIRST); // The interrupted call left no lock behind.
    assertThat(server.commits()).hasSize(1);
  }

  @Test
  void readsASequenceThatIsText() throws Exception {
    server.store().insert(document("\"12\""), "by hand");

    effect.apply(changed("pump", 9), FIRST);

    assertThat(server.commits()).containsExactly(PUMP + " 12");
  }

  @Test
  void replacesADocumentWithoutASequence() throws Exception {
    server.store().insert("{\"@id\":\"" + PUMP + "\",\"@type\":\"Order\"}", "by hand");

    effect.apply(changed("pump", 1), FIRST);

    assertThat(server.document(PUMP).orElseThrow().path("count").asInt()).isEqualTo(1);
  }

  @Test
  void refusesDocumentsThatCannotBeStored() {
    for (String json :
        List.of(
            "{",
            "[]",
            "1",
            "{\"@id\":\"x\"}",
            "{\"@type\":\"x\"}",
            "{\"once_sequence\":9}",
            "{\"once_deleted\":true}")) {
      Event event = event("pump", 1, TestEvents.CHANGED, json);
      assertThatThrownBy(() -> effect.apply(event, FIRST))
          .as(json)
          .isInstanceOf(UnprocessableEventException.class);
    }
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void noTwoAggregatesHaveTheSameDocument() {
    List<Aggregate> aggregates =
        Stream.of("a", "A", "a ", "a/b", "a.b", "a%2fb", "ä", ".2f", "2f", "x".repeat(1000))
            .map(it -> new Aggregate("order", it))
            .toList();

    List<String> ids = aggregates.stream().map(effect::idOf).toList();

    assertThat(ids).doesNotHaveDuplicates().allMatch(it -> it.matches("Order/[a-z0-9_.-]+"));
    assertThat(effect.idOf(new Aggregate("order/a", "b")))
        .isNotEqualTo(effect.idOf(new Aggregate("order", "a/b")));
  }

  @Test
  void showsTheEventToOperators() throws Exception {
    effect.apply(changed("pump", 1), FIRST);
    effect.apply(event("pump", 2, "x" + "😀".repeat(127), "{}"), FIRST);

    List<String> messages =
        server.requests().stream()
            .flatMap(it -> Optional.ofNullable(it.query().get("message")).stream())
            .toList();
    assertThat(messages.get(0))
        .startsWith("order.changed pump-1 of order/#")
        .endsWith("sequence 1");
    assertThat(messages.get(1)).hasSize(199);
  }

  @Test
  void refusesTypesThatAreNoClass() {
    for (String type : List.of("", "1", "a/b", "a b", "ä")) {
      assertThatThrownBy(() -> GraphDocumentEffect.of(server.store(), type, TestEvents::map))
          .hasMessageContaining("the type of documents");
    }
  }

  private static String document(String sequence) {
    return "{\"@id\":\"" + PUMP + "\",\"@type\":\"Order\",\"once_sequence\":" + sequence + "}";
  }

  private GraphDocumentEffect newEffect() {
    return of(server.store());
  }

  private static GraphDocumentEffect of(GraphStore store) {
    return GraphDocumentEffect.of(store, "Order", TestEvents::map);
  }

  private static void apply(GraphDocumentEffect effect, Event event) {
    try {
      effect.apply(event, FIRST);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A store in which another write always comes first. */
  private static final class RefusingStore implements GraphStore {
    private final AtomicInteger writes = new AtomicInteger();

    @Override
    public Optional<StoredDocument> find(String id) {
      return Optional.of(new StoredDocument("{}", "branch:1"));
    }

    @Override
    public boolean insert(String json, String message) {
      return false;
    }

    @Override
    public boolean replace(String json, String dataVersion, String message) {
      writes.incrementAndGet();
      return false;
    }

    @Override
    public boolean delete(String id, String dataVersion, String message) {
      return false;
    }
  }
}
