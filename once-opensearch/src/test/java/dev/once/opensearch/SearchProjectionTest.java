package dev.once.opensearch;

import static dev.once.opensearch.TestReadModel.DELETED;
import static dev.once.opensearch.TestReadModel.NOTED;
import static dev.once.opensearch.TestReadModel.event;
import static dev.once.opensearch.TestReadModel.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Event;
import dev.once.events.EventExecution;
import dev.once.events.UnprocessableEventException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events that come twice, late or in any order give the same documents. */
class SearchProjectionTest {
  private final TestReadModel orders = TestReadModel.create();
  private final SearchProjection projection = SearchProjection.start(orders.model());
  private final ExecutorService threads = Executors.newFixedThreadPool(16);

  SearchProjectionTest() throws InterruptedException {}

  @AfterEach
  void close() {
    projection.close();
    threads.shutdownNow();
  }

  @Test
  void aDuplicateWritesNothing() throws Exception {
    apply(event("a", 1));
    var first = orders.document("a").orElseThrow();

    apply(event("a", 1));

    assertThat(orders.document("a")).contains(first);
    assertThat(first.path("_version").asLong()).isEqualTo(1);
  }

  @Test
  void shufflesAndDuplicatesEndWithTheLastEvents() throws Exception {
    for (long seed = 1; seed <= 5; seed++) {
      List<Event> all = new ArrayList<>();
      for (String order : List.of("a", "b", "c", "d")) {
        all.addAll(events(seed + order, 15));
        all.addAll(events(seed + order, 15));
      }
      all.add(event(seed + "d", 16, DELETED, "{}"));
      Collections.shuffle(all, new Random(seed));

      applyAtOnce(all);

      for (String order : List.of("a", "b", "c")) {
        var document = orders.document(seed + order).orElseThrow();
        assertThat(document.path("_version").asLong()).as("seed %d", seed).isEqualTo(15);
        assertThat(document.at("/_source/count").asLong()).as("seed %d", seed).isEqualTo(15);
      }
      assertThat(orders.search()).as("seed %d", seed).doesNotContain(seed + "d");
    }
  }

  @Test
  void anEventBeforeADeletionDoesNotBringTheDocumentBack() throws Exception {
    apply(event("a", 1));
    apply(event("a", 3, DELETED, "{}"));
    assertThat(orders.search()).isEmpty();

    apply(event("a", 2)); // With gc_deletes of 0 s, a plain deletion would be forgotten now.

    assertThat(orders.search()).isEmpty();
    assertThat(orders.document("a").orElseThrow().path("_version").asLong()).isEqualTo(3);
  }

  @Test
  void aLaterEventReplacesATombstone() throws Exception {
    apply(event("a", 1, DELETED, "{}"));

    apply(event("a", 2));

    assertThat(orders.search()).containsExactly("a");
  }

  @Test
  void anEventWithoutAChangeWritesNothing() throws Exception {
    apply(event("a", 1, NOTED, "{}"));

    assertThat(orders.document("a")).isEmpty();
  }

  @Test
  void aDocumentThatDoesNotFitFailsAlone() throws Exception {
    List<Future<?>> results = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String json = i == 7 ? "{\"count\": \"secret\"}" : "{\"count\": 1}";
      Event event = event("order-" + i, 1, TestReadModel.CHANGED, json);
      results.add(threads.submit(() -> applyUnchecked(event)));
    }

    assertThatThrownBy(results.get(7)::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(UnprocessableEventException.class)
        .hasMessageContaining("count")
        .hasMessageNotContaining("secret");
    results.remove(7);
    for (Future<?> result : results) {
      assertThatCode(result::get).doesNotThrowAnyException();
    }
    assertThat(orders.search()).hasSize(15);
  }

  @Test
  void refusesADocumentThatIsNoObjectOrLooksLikeATombstone() {
    for (String json : List.of("{", "[]", "1", "{\"once_deleted\": true}")) {
      Event event = event("a", 1, TestReadModel.CHANGED, json);
      assertThatThrownBy(() -> apply(event)).isInstanceOf(UnprocessableEventException.class);
    }
  }

  @Test
  void aMissingIndexFailsTheAttemptAndIsNotCreated() throws Exception {
    ReadModel absent =
        ReadModel.builder(TestOpenSearch.client(), "absent")
            .build(it -> DocumentChange.put(it.content().data()));
    try (SearchProjection toAbsent = new SearchProjection(absent, 10, Duration.ofSeconds(30))) {
      assertThatThrownBy(() -> toAbsent.apply(event("a", 1), new EventExecution(1, 1)))
          .isInstanceOf(SearchException.class)
          .hasMessageContaining("404");
    }
    assertThat(orders.call("GET", "/absent", "").path("status").asInt()).isEqualTo(404);
  }

  @Test
  void severalProcessesMayCreateTheIndex() throws Exception {
    ReadModel model =
        ReadModel.builder(TestOpenSearch.client(), "created").build(it -> DocumentChange.none());
    List<Future<?>> creations = new ArrayList<>();

    for (int i = 0; i < 8; i++) {
      creations.add(
          threads.submit(
              () -> {
                model.createIfAbsent();
                return true;
              }));
    }

    for (Future<?> creation : creations) {
      assertThatCode(creation::get).doesNotThrowAnyException();
    }
    assertThat(model.indexes().live()).contains("created-00000000000000000");
  }

  private void applyAtOnce(List<Event> events) throws Exception {
    List<Future<?>> results = new ArrayList<>();
    events.forEach(it -> results.add(threads.submit(() -> applyUnchecked(it))));
    for (Future<?> result : results) {
      result.get();
    }
  }

  private boolean applyUnchecked(Event event) throws InterruptedException {
    apply(event);
    return true;
  }

  private void apply(Event event) throws InterruptedException {
    projection.apply(event, new EventExecution(1, 1));
  }
}
