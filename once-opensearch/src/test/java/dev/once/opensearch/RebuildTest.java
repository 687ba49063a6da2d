package dev.once.opensearch;

import static dev.once.opensearch.TestReadModel.CHANGED;
import static dev.once.opensearch.TestReadModel.DELETED;
import static dev.once.opensearch.TestReadModel.event;
import static dev.once.opensearch.TestReadModel.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Event;
import dev.once.events.EventExecution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A rebuild replaces an index, continues after a crash, and loses nothing. */
class RebuildTest {
  private final TestReadModel orders = TestReadModel.create();
  private final ReadModelIndexes indexes = orders.model().indexes();
  private final SearchProjection projection = SearchProjection.start(orders.model());
  private final TestLog log = new TestLog();
  private final List<RebuildProgress> progress = new ArrayList<>();
  private final List<String> rejected = new ArrayList<>();

  RebuildTest() throws InterruptedException {}

  @AfterEach
  void close() {
    projection.close();
  }

  @Test
  void buildsANewIndexFromTheLog() throws Exception {
    append(events("a", 3));
    append(List.of(event("b", 1), event("b", 2, DELETED, "{}")));
    append(List.of(event("c", 1, CHANGED, "{\"count\": \"x\"}"), event("d", 1, CHANGED, "{")));
    apply(event("gone", 1)); // Not in the log.

    String old = rebuild(it -> {}).run();

    assertThat(orders.search()).containsExactly("a");
    assertThat(check().isEqual()).isFalse(); // The event of c does not fit the index.
    assertThat(check().differences()).extracting(it -> it.documentId()).containsExactly("c");
    assertThat(rejected).containsExactly("c-1", "d-1");
    String index = indexes.requireLive();
    assertThat(progress).last().isEqualTo(new RebuildProgress(index, 7, 2, "7", Duration.ZERO));
    assertThat(progress.get(0).lag()).isPositive();
    assertThat(rebuild(it -> {}).removeOld()).containsExactly(old);
    assertThat(indexes.unused()).isEmpty();
  }

  @Test
  void continuesAfterACrash() throws Exception {
    append(events("a", 60));
    String old = indexes.requireLive();
    assertThatThrownBy(() -> rebuild(it -> failAt(it, 50)).run()).hasMessage("crash");
    String unfinished = indexes.building().orElseThrow();
    assertThat(indexes.requireLive()).isEqualTo(old);
    log.reads().clear();

    rebuild(it -> {}).run();

    assertThat(log.reads().get(0)).isEqualTo("40");
    assertThat(indexes.requireLive()).isEqualTo(unfinished);
    assertThat(indexes.building()).isEmpty();
    assertThat(check().isEqual()).isTrue();
  }

  @Test
  void theProjectionWaitsAfterACrashWithinTheBlockOfWrites() throws Exception {
    append(events("a", 2));
    assertThatThrownBy(() -> rebuild(this::failWithinBlock).run()).hasMessage("crash");
    Event later = event("a", 3);
    append(List.of(later));
    CompletableFuture<Void> write = CompletableFuture.runAsync(() -> applyUnchecked(later));

    rebuild(it -> {}).run();

    write.join();
    assertThat(check().isEqual()).isTrue();
  }

  @Test
  void discardsAnUnfinishedRebuild() throws Exception {
    append(events("a", 2));
    assertThatThrownBy(() -> rebuild(this::failWithinBlock).run()).hasMessage("crash");

    rebuild(it -> {}).discard();

    assertThat(indexes.building()).isEmpty();
    apply(event("a", 2));
    assertThat(check().isEqual()).isTrue();
  }

  @Test
  void aRebuildThatEndsSecondReplacesNothing() throws Exception {
    append(events("a", 2));
    String first = indexes.requireLive();
    Rebuild overtaken =
        rebuild(
            it -> {
              if (indexLive().equals(first)) {
                runUnchecked(Rebuild.of(orders.model(), log));
                runUnchecked(Rebuild.of(orders.model(), log));
              }
            });

    assertThatThrownBy(overtaken::run).isInstanceOf(SearchException.class);

    assertThat(check().isEqual()).isTrue();
    apply(event("a", 3));
    assertThat(orders.document("a").orElseThrow().path("_version").asLong()).isEqualTo(3);
  }

  private Rebuild rebuild(Consumer<RebuildProgress> onProgress) {
    return Rebuild.of(orders.model(), log)
        .withPageSize(2)
        .withListener(
            new RebuildListener() {
              @Override
              public void progress(RebuildProgress it) {
                progress.add(it);
                onProgress.accept(it);
              }

              @Override
              public void rejected(Event event, String reason) {
                rejected.add(event.id());
              }
            });
  }

  private static void failAt(RebuildProgress progress, long events) {
    if (progress.events() == events) {
      throw new IllegalStateException("crash");
    }
  }

  /** The second page of the end is read within the block. */
  private void failWithinBlock(RebuildProgress it) {
    if (it.lag().isZero() && progress.stream().filter(p -> p.lag().isZero()).count() == 2) {
      throw new IllegalStateException("crash");
    }
  }

  private String indexLive() {
    try {
      return indexes.requireLive();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void runUnchecked(Rebuild rebuild) {
    try {
      String unused = rebuild.run();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void applyUnchecked(Event event) {
    try {
      apply(event);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private CheckReport check() throws InterruptedException {
    return ProjectionCheck.of(orders.model(), log).withPatience(Duration.ZERO).run();
  }

  private void append(List<Event> events) {
    events.forEach(log::append);
  }

  private void apply(Event event) throws InterruptedException {
    projection.apply(event, new EventExecution(1, 1));
  }
}
