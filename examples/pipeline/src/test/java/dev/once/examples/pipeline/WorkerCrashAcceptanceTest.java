package dev.once.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.ProcessedState;
import dev.once.examples.pipeline.FaultProxy.Step;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The processes of both workers are killed at the same point, each at the first event that reaches
 * it, and started again.
 */
class WorkerCrashAcceptanceTest {
  private static final PipelineStage STAGE = PipelineStage.shared();

  /** Where a worker is killed. The graph of ontology_worker is in the database of the registry. */
  enum Point {
    AFTER_CLAIM(0, 0),
    BEFORE_APPLY(0, 0),
    AFTER_APPLY(1, 0),
    BEFORE_MARK_DONE(1, 0);

    private final int graphChanges;
    private final int nodeChanges;

    Point(int graphChanges, int nodeChanges) {
      this.graphChanges = graphChanges;
      this.nodeChanges = nodeChanges;
    }

    CompletableFuture<Void> killInstanceWorker() {
      StagedWorker worker = STAGE.worker(Role.INSTANCE_WORKER);
      return switch (this) {
        case AFTER_CLAIM -> worker.database().killAt(Step.KILL_AFTER, "claim_events");
        case BEFORE_APPLY -> worker.graph().killAt(Step.KILL_BEFORE, "POST " + GraphServer.PATH);
        case AFTER_APPLY -> worker.graph().killAt(Step.KILL_AFTER, "POST " + GraphServer.PATH);
        case BEFORE_MARK_DONE -> worker.database().killAt(Step.KILL_BEFORE, "settle_events");
      };
    }

    CompletableFuture<Void> killOntologyWorker() {
      FaultProxy database = STAGE.worker(Role.ONTOLOGY_WORKER).database();
      return switch (this) {
        case AFTER_CLAIM -> database.killAt(Step.KILL_AFTER, "claim_events");
        case BEFORE_APPLY -> database.killAt(Step.KILL_BEFORE, "DELETE FROM pipeline.edge");
        case AFTER_APPLY -> database.killAt(Step.KILL_AFTER, "INSERT INTO pipeline.graph_change");
        case BEFORE_MARK_DONE -> database.killAt(Step.KILL_BEFORE, "settle_events");
      };
    }
  }

  @AfterAll
  static void theReadModelIsAFoldOverTheEvents() throws Exception {
    STAGE.requireReadModelIsFold();
  }

  @AfterEach
  void restore() throws IOException {
    STAGE.restore();
  }

  @ParameterizedTest
  @EnumSource
  void everyEventTakesEffectOnce(Point point) throws Exception {
    String id = "crash " + point;
    CompletableFuture<Void> instanceWorker = point.killInstanceWorker();
    CompletableFuture<Void> ontologyWorker = point.killOntologyWorker();
    STAGE.create(id);
    STAGE.update(id, 2);
    Eventually.isDone("both workers are killed", instanceWorker, ontologyWorker);
    assertThatTheFirstEventIsClaimed(id, Role.INSTANCE_WORKER);
    assertThatTheFirstEventIsClaimed(id, Role.ONTOLOGY_WORKER);
    assertThat(STAGE.sinks().graphChanges(id)).hasSize(point.graphChanges);
    assertThat(STAGE.sinks().nodeChanges(id)).hasSize(point.nodeChanges);

    STAGE.start(Role.INSTANCE_WORKER, Role.ONTOLOGY_WORKER);
    STAGE.awaitConsumed(id, 2);

    assertThat(STAGE.sinks().graphChanges(id)).containsExactly(1L, 2L);
    assertThat(STAGE.sinks().nodeChanges(id)).containsExactly(1L, 2L);
    assertThatBothEventsAreDone(id, Role.INSTANCE_WORKER);
    assertThatBothEventsAreDone(id, Role.ONTOLOGY_WORKER);
  }

  private static void assertThatTheFirstEventIsClaimed(String id, Role role) throws Exception {
    var event = STAGE.processed(role, PipelineStage.eventId(id, 1));
    assertThat(event.state()).as("%s", role).isEqualTo(ProcessedState.PROCESSING);
    assertThat(STAGE.topics().uncommitted(role)).as("%s", role).isPositive();
  }

  private static void assertThatBothEventsAreDone(String id, Role role) {
    for (long sequence = 1; sequence <= 2; sequence++) {
      var event = STAGE.processed(role, PipelineStage.eventId(id, sequence));
      assertThat(event.state()).as("%s", role).isEqualTo(ProcessedState.DONE);
    }
    assertThat(STAGE.processed(role, PipelineStage.eventId(id, 1)).attempts())
        .as("%s", role)
        .isGreaterThanOrEqualTo(2);
    assertThat(STAGE.lastSequence(role, id)).as("%s", role).isEqualTo(2);
  }
}
