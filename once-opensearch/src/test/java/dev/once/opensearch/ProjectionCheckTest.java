package dev.once.opensearch;

import static dev.once.opensearch.TestReadModel.CHANGED;
import static dev.once.opensearch.TestReadModel.DELETED;
import static dev.once.opensearch.TestReadModel.event;
import static dev.once.opensearch.TestReadModel.events;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Event;
import dev.once.events.EventExecution;
import dev.once.opensearch.CheckReport.Difference;
import dev.once.opensearch.CheckReport.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The check finds what differs between a read model and its log, and nothing else. */
class ProjectionCheckTest {
  private final TestReadModel orders = TestReadModel.create();
  private final SearchProjection projection = SearchProjection.start(orders.model());
  private final TestLog log = new TestLog();

  ProjectionCheckTest() throws InterruptedException {}

  @AfterEach
  void close() {
    projection.close();
  }

  @Test
  void aProjectionOfTheWholeLogIsEqual() throws Exception {
    List<CheckProgress> progress = new ArrayList<>();
    append(events("a", 3));
    append(List.of(event("b", 1), event("b", 2, DELETED, "{}"), event("c", 1, CHANGED, "{")));
    append(List.of(event("d", 1, CHANGED, "{\"count\": 1.50e3}")));
    applyAll(log.events());

    CheckReport report = check().withListener(progress::add).run();

    assertThat(report).isEqualTo(new CheckReport(7, 3, List.of(), true));
    assertThat(report.isEqual()).isTrue();
    assertThat(progress).contains(new CheckProgress(7, 0), new CheckProgress(7, 3));
  }

  @Test
  void findsPlantedDifferences() throws Exception {
    append(List.of(event("missing", 1), event("changed", 1), event("equal", 1)));
    append(events("stale", 2));
    append(List.of(event("visible", 1), event("visible", 2, DELETED, "{}")));
    applyAll(
        List.of(
            event("changed", 1, CHANGED, "{\"count\": 7}"),
            event("equal", 1),
            event("stale", 1),
            event("visible", 1),
            event("unexpected", 4)));

    CheckReport report = check().run();

    assertThat(report.isEqual()).isFalse();
    assertThat(report.differences())
        .containsExactlyInAnyOrder(
            new Difference(Kind.MISSING, "missing", 1, 0),
            new Difference(Kind.DIFFERENT, "changed", 1, 1),
            new Difference(Kind.STALE, "stale", 2, 1),
            new Difference(Kind.STALE, "visible", 2, 1),
            new Difference(Kind.UNEXPECTED, "unexpected", 0, 4));
  }

  @Test
  void saysThatItsListIsIncomplete() throws Exception {
    append(List.of(event("a", 1), event("b", 1), event("c", 1)));

    CheckReport report = check().withMaxDifferences(2).run();

    assertThat(report.differences()).hasSize(2);
    assertThat(report.isComplete()).isFalse();
  }

  @Test
  void waitsForEventsThatAreOnTheirWay() throws Exception {
    append(List.of(event("a", 1), event("b", 1)));
    apply(event("a", 1));
    CountDownLatch scanned = new CountDownLatch(1);
    CompletableFuture<Void> late =
        CompletableFuture.runAsync(
            () -> {
              try {
                scanned.await();
                append(List.of(event("a", 2)));
                applyAll(List.of(event("a", 2), event("b", 1)));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });

    CheckReport report =
        check().withPatience(Duration.ofMinutes(1)).withListener(it -> scanned.countDown()).run();

    late.join();
    assertThat(report.isEqual()).isTrue();
  }

  private ProjectionCheck check() {
    return ProjectionCheck.of(orders.model(), log).withPatience(Duration.ZERO);
  }

  private void append(List<Event> events) {
    events.forEach(log::append);
  }

  private void applyAll(List<Event> events) throws InterruptedException {
    for (Event event : events) {
      if (!event.aggregate().id().equals("c")) { // Its event is no document.
        apply(event);
      }
    }
  }

  private void apply(Event event) throws InterruptedException {
    projection.apply(event, new EventExecution(1, 1));
  }
}
