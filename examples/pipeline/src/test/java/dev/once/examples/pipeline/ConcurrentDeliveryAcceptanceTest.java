package dev.once.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.ProcessedState;
import dev.once.examples.pipeline.FaultProxy.Step;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two processes of one worker have different partitions, and the same event is in both. */
class ConcurrentDeliveryAcceptanceTest {
  private static final PipelineStage STAGE = PipelineStage.shared();
  private static final Role ROLE = Role.INSTANCE_WORKER;

  private final StagedWorker first = STAGE.worker(ROLE);
  private final CountDownLatch mayWrite = new CountDownLatch(1);
  private StagedWorker second;

  @AfterAll
  static void theReadModelIsAFoldOverTheEvents() throws Exception {
    STAGE.requireReadModelIsFold();
  }

  @BeforeEach
  void start() throws Exception {
    second = STAGE.newWorker(ROLE.text() + "-2", ROLE).start();
    Eventually.until(
        "both processes have partitions",
        () ->
            STAGE.topics().assignment(ROLE).size() == 2
                && STAGE.topics().assignment(ROLE).values().stream().noneMatch(Set::isEmpty));
  }

  @AfterEach
  void end() throws Exception {
    mayWrite.countDown();
    STAGE.restore();
    second.end();
    STAGE.topics().remove(ROLE, second.name());
  }

  @Test
  void oneOfTwoProcessesThatGetTheSameEventClaimsIt() throws Exception {
    String id = "delivered twice";
    Set<String> claiming = ConcurrentHashMap.newKeySet();
    Set<String> writing = ConcurrentHashMap.newKeySet();
    for (StagedWorker worker : List.of(first, second)) {
      worker.database().rule(request -> note(request, "claim_events", id, claiming, worker));
      worker.graph().rule(request -> holdWrite(request, id, writing, worker));
    }

    STAGE.topics().copy(PipelineStage.event(id, 1), partitions());
    Eventually.until("both processes claim the event", () -> claiming.size() == 2);
    Eventually.until("one process writes", () -> !writing.isEmpty());
    mayWrite.countDown();
    STAGE.awaitConsumed(id, 1);

    assertThat(writing).hasSize(1);
    assertThat(STAGE.sinks().graphChanges(id)).containsExactly(1L);
    var processed = STAGE.processed(ROLE, PipelineStage.eventId(id, 1));
    assertThat(processed.state()).isEqualTo(ProcessedState.DONE);
    assertThat(processed.attempts()).isEqualTo(1);
    assertThat(writing).containsExactly(processed.owner());
  }

  /** Returns a partition of each process. */
  private List<Integer> partitions() throws Exception {
    Map<String, Set<Integer>> assignment = STAGE.topics().assignment(ROLE);
    return assignment.values().stream().map(it -> it.iterator().next()).toList();
  }

  private static Step note(
      String request, String text, String id, Set<String> seen, StagedWorker worker) {
    if (request.contains(text) && request.contains(PipelineStage.eventId(id, 1))) {
      seen.add(worker.name());
    }
    return Step.FORWARD;
  }

  private Step holdWrite(String request, String id, Set<String> writing, StagedWorker worker)
      throws InterruptedException {
    String document = STAGE.sinks().documentId(id);
    if (request.contains(URLEncoder.encode(document, StandardCharsets.UTF_8))) {
      writing.add(worker.name());
      mayWrite.await();
    }
    return Step.FORWARD;
  }
}
