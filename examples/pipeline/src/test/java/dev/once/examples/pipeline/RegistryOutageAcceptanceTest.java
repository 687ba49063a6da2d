package dev.once.examples.pipeline;

import static dev.once.examples.pipeline.PipelineStage.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Event;
import dev.once.events.ProcessedState;
import dev.once.examples.pipeline.CommandSender.Answer;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** PostgreSQL is killed while events come, and starts again. */
class RegistryOutageAcceptanceTest {
  private static final PipelineStage STAGE = PipelineStage.shared();
  private static final String OUTAGE = "the registry cannot be reached";

  @AfterAll
  static void theReadModelIsAFoldOverTheEvents() throws Exception {
    STAGE.requireReadModelIsFold();
  }

  @AfterEach
  void restore() throws Exception {
    STAGE.restore();
    STAGE.awaitConsumed(); // Also after a test that failed: the next one counts what is left.
  }

  @Test
  void workersPauseAndLoseNothing() throws Exception {
    String id = "paused";
    CompletableFuture<Answer> command;
    Map<Role, Long> before = new EnumMap<>(Role.class);
    for (Role role : PipelineStage.WORKERS) {
      before.put(role, outages(role));
    }
    STAGE.postgres().kill();
    try {
      STAGE.topics().publish(List.of(event(id, 1), event(id, 2)));
      command = CompletableFuture.supplyAsync(() -> create("sent in an outage"));
      for (Role role : PipelineStage.WORKERS) {
        Eventually.until(role + " pauses", () -> outages(role) > before.getOrDefault(role, 0L));
      }

      assertThat(STAGE.sinks().graphChanges(id)).isEmpty();
      assertThat(STAGE.sinks().searchVersion(id)).isZero();
      for (Role role : PipelineStage.WORKERS) {
        assertThat(STAGE.topics().uncommitted(role)).as("%s", role).isEqualTo(2);
      }
    } finally {
      STAGE.postgres().restart();
    }
    Eventually.isDone("the command is answered", command);
    STAGE.awaitConsumed("sent in an outage", 1);

    assertThat(command.join().status()).isEqualTo(201);
    assertThat(STAGE.sinks().graphChanges("sent in an outage")).containsExactly(1L);
    assertThat(STAGE.sinks().graphChanges(id)).containsExactly(1L, 2L);
    assertThat(STAGE.sinks().nodeChanges(id)).containsExactly(1L, 2L);
    assertThat(STAGE.sinks().searchVersion(id)).isEqualTo(2);
  }

  /** Returns how many outages a worker has logged. */
  private static long outages(Role role) throws IOException {
    return STAGE.worker(role).log().lines().filter(it -> it.contains(OUTAGE)).count();
  }

  /** Sends the command again with the same id until it is answered. */
  private static Answer create(String id) {
    try {
      return STAGE.create(id);
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  @Test
  void aWorkerThatFailsFastEndsWithAnErrorThatSaysWhy() throws Exception {
    String id = "failed fast";
    StagedWorker worker = STAGE.worker(Role.INSTANCE_WORKER);
    worker.start(Map.of(Environment.OUTAGE, "fail-fast"));
    STAGE.postgres().kill();
    int exitCode;
    try {
      STAGE.topics().publish(List.of(event(id, 1)));
      exitCode = worker.awaitExit();
    } finally {
      STAGE.postgres().restart();
    }
    assertThat(exitCode).isEqualTo(1);
    // The type of the cause depends on the pool: it may know, or not, that its connections are
    // dead.
    assertThat(worker.log())
        .contains(
            "the worker cannot go on",
            "handler instance_worker cannot go on: claiming events failed: ");
    assertThat(STAGE.sinks().graphChanges(id)).isEmpty();
    assertThat(STAGE.topics().uncommitted(Role.INSTANCE_WORKER)).isEqualTo(1);

    worker.start(Map.of());
    STAGE.awaitConsumed(id, 1);

    assertThat(STAGE.sinks().graphChanges(id)).containsExactly(1L);
  }

  @Test
  void aWorkerThatDeadLettersHandsEventsOverAndHandlesThemWhenTheyAreRedriven() throws Exception {
    Event event = event("dead-lettered", 1);
    String id = event.aggregate().id();
    Role role = Role.PROJECTION_WORKER;
    StagedWorker worker = STAGE.worker(role);
    worker.start(Map.of(Environment.OUTAGE, "dlq"));
    STAGE.postgres().kill();
    try {
      STAGE.topics().publish(List.of(event));
      Eventually.until(
          "the event is in the topic of dead letters",
          () -> STAGE.topics().count(Topics.PROJECTION_DEAD_LETTERS, event.id()) == 1);
      assertThat(STAGE.sinks().searchVersion(id)).isZero();
    } finally {
      STAGE.postgres().restart();
    }
    STAGE.awaitState(role, event.id(), ProcessedState.DEAD);
    STAGE.awaitConsumed(id, 1);
    assertThat(STAGE.sinks().searchVersion(id)).isZero();

    STAGE.registry().redrive(role.text(), event.id());
    STAGE.topics().publish(List.of(event));
    STAGE.awaitConsumed(id, 1);

    assertThat(STAGE.sinks().searchVersion(id)).isEqualTo(1);
    assertThat(STAGE.sinks().graphChanges(id)).containsExactly(1L);
  }
}
