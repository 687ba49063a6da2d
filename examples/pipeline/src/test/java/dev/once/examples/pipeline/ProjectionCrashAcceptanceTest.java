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

/** The process of the projection is killed at each point, and started again. */
class ProjectionCrashAcceptanceTest {
  private static final PipelineStage STAGE = PipelineStage.shared();

  /** Where it is killed, and what the index and the registry have of the event then. */
  enum Point {
    BEFORE_SEARCH_WRITE(0, ProcessedState.PROCESSING),
    AFTER_SEARCH_WRITE(1, ProcessedState.PROCESSING),
    /** An event is done first; its offset is committed next, by the same process. */
    BEFORE_OFFSET_COMMIT(1, ProcessedState.DONE);

    private final int version;
    private final ProcessedState state;

    Point(int version, ProcessedState state) {
      this.version = version;
      this.state = state;
    }

    CompletableFuture<Void> kill(StagedWorker worker) {
      return switch (this) {
        case BEFORE_SEARCH_WRITE -> worker.search().killAt(Step.KILL_BEFORE, "/_bulk");
        case AFTER_SEARCH_WRITE -> worker.search().killAt(Step.KILL_AFTER, "/_bulk");
        case BEFORE_OFFSET_COMMIT -> worker.database().killAt(Step.KILL_AFTER, "settle_events");
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
  void everyEventIsWrittenOnce(Point point) throws Exception {
    String id = "projection " + point;
    long writes = STAGE.sinks().searchWrites();
    CompletableFuture<Void> killed = point.kill(STAGE.worker(Role.PROJECTION_WORKER));
    STAGE.create(id);
    Eventually.isDone("the projection is killed", killed);
    assertThat(STAGE.processed(Role.PROJECTION_WORKER, PipelineStage.eventId(id, 1)).state())
        .isEqualTo(point.state);
    assertThat(STAGE.sinks().searchVersion(id)).isEqualTo(point.version);
    assertThat(STAGE.topics().uncommitted(Role.PROJECTION_WORKER)).isEqualTo(1);

    STAGE.update(id, 2);
    STAGE.start(Role.PROJECTION_WORKER);
    STAGE.awaitConsumed(id, 2);

    assertThat(STAGE.sinks().searchWrites() - writes).isEqualTo(2);
    assertThat(STAGE.sinks().searchVersion(id)).isEqualTo(2);
    assertThat(STAGE.sinks().searchDocument(id).at("/_source/name").asString()).isEqualTo("name 2");
    assertThat(STAGE.processed(Role.PROJECTION_WORKER, PipelineStage.eventId(id, 1)).state())
        .isEqualTo(ProcessedState.DONE);
    assertThat(STAGE.lastSequence(Role.PROJECTION_WORKER, id)).isEqualTo(2);
  }
}
