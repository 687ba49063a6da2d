package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.jobs.JobException;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CompensationTest {
  @RegisterExtension static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-saga");

  private static final Workflow<@Nullable String, @Nullable String> BOOK =
      Workflow.of("book", 1, Codec.text(), Codec.text());
  private static final SignalType<String> GO = SignalType.of("go", Codec.text());
  private static final RetryPolicy SOON =
      RetryPolicy.SHORT.withDelays(Duration.ofMillis(1), Duration.ofMillis(5));
  private static final RunId RUN = new RunId("acme", "trip-1");

  private static WorkflowStep<@Nullable String> undoable(String name) {
    return WorkflowStep.of(name, Codec.text())
        .withRetries(SOON)
        .compensatedBy(
            e -> {
              DATABASE.effect("undo " + name);
              return "";
            });
  }

  private static @Nullable String effect(String name) {
    DATABASE.effect(name);
    return name;
  }

  @Test
  void undoesStepsInReverseOrderWhenTheRunFails() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BOOK,
                    (context, trip) -> {
                      context.step(undoable("flight"), e -> effect("flight"));
                      context.sleep(Duration.ofMillis(1));
                      context.step(undoable("hotel"), e -> effect("hotel"));
                      return context.step(
                          undoable("car"),
                          e -> {
                            throw new JobException.GiveUp("no car");
                          });
                    }));

    workflows.start(BOOK, RUN, "Lima");
    RunView ended = WorkflowDatabase.ended(workflows, RUN);

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(ended.failure().orElseThrow()).contains("no car");
    assertThat(DATABASE.effects())
        .containsExactly("flight", "hotel", "undo car", "undo hotel", "undo flight");
  }

  private static WorkflowStep<@Nullable String> undoneInTheSecondAttempt() {
    return WorkflowStep.of("hotel", Codec.text())
        .withRetries(SOON)
        .compensatedBy(
            e -> {
              if (e.attempt() == 1) {
                throw new IllegalStateException("the hotel does not answer");
              }
              return effect("undo hotel");
            });
  }

  @Test
  void givesUpNoCompensationBecauseItsWorkerStops() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch called = new CountDownLatch(1);
    Workflows workflows =
        DATABASE.workflows(
            it ->
                it.register(
                    BOOK,
                    (context, trip) -> {
                      if (calls.incrementAndGet() == 2) {
                        called.countDown();
                        new CountDownLatch(1).await();
                      }
                      context.step(undoneInTheSecondAttempt(), e -> effect("hotel"));
                      throw new IllegalStateException("no car");
                    }));
    workflows.start(BOOK, RUN, "Lima");
    try (Workers first =
        workflows.addTo(Workers.over(DATABASE.jobs())).drain(Duration.ZERO).start()) {
      assertThat(first).isNotNull();
      called.await();
    }
    DATABASE.work(workflows);

    assertThat(WorkflowDatabase.ended(workflows, RUN).failure().orElseThrow()).contains("no car");
    assertThat(DATABASE.effects()).containsExactly("hotel", "undo hotel");
  }

  @Test
  void givesUpNoCompensationBecauseTheCodeEndedBeforeItsStep() {
    AtomicInteger calls = new AtomicInteger();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BOOK,
                    (context, trip) -> {
                      if (calls.incrementAndGet() == 2) {
                        throw new IllegalStateException("a setting is missing");
                      }
                      context.step(undoneInTheSecondAttempt(), e -> effect("hotel"));
                      throw new IllegalStateException("no car");
                    }));
    workflows.start(BOOK, RUN, "Lima");
    Polling.until(
        () -> DATABASE.query("SELECT state FROM once_job"), it -> it.equals(List.of("dead")));

    workflows.runs().resume(RUN);

    assertThat(WorkflowDatabase.ended(workflows, RUN).failure().orElseThrow()).contains("no car");
    assertThat(DATABASE.effects()).containsExactly("hotel", "undo hotel");
  }

  @Test
  void runsEveryCompensationAlthoughOneFailsForGood() {
    AtomicInteger attempts = new AtomicInteger();
    WorkflowStep<@Nullable String> stubborn =
        WorkflowStep.of("hotel", Codec.text())
            .withRetries(SOON)
            .compensatedBy(
                e -> {
                  attempts.incrementAndGet();
                  throw new IllegalStateException("the hotel does not answer");
                });
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BOOK,
                    (context, trip) -> {
                      context.step(undoable("flight"), e -> effect("flight"));
                      context.step(stubborn, e -> effect("hotel"));
                      throw new IllegalStateException("no car");
                    }));

    workflows.start(BOOK, RUN, "Lima");
    RunView ended = WorkflowDatabase.ended(workflows, RUN);

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(DATABASE.effects()).containsExactly("flight", "hotel", "undo flight");
    assertThat(attempts).hasValue(5);
    assertThat(workflows.runs().history(RUN))
        .filteredOn(it -> it.kind().equals("compensation") && it.state().equals("failed"))
        .singleElement()
        .satisfies(it -> assertThat(it.failure().orElseThrow()).contains("does not answer"));
  }

  @Test
  void undoesWhatIsDoneWhenTheRunIsCancelled() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BOOK,
                    (context, trip) -> {
                      context.step(undoable("flight"), e -> effect("flight"));
                      context.awaitSignal(GO);
                      return context.step(undoable("hotel"), e -> effect("hotel"));
                    }));
    workflows.start(BOOK, RUN, "Lima");
    DATABASE.awaitSuspended(RUN);

    boolean isCancelled = workflows.runs().cancel(RUN);
    RunView ended = WorkflowDatabase.ended(workflows, RUN);

    assertThat(isCancelled).isTrue();
    assertThat(ended.state()).isEqualTo(RunState.CANCELLED);
    assertThat(DATABASE.effects()).containsExactly("flight", "undo flight");
    assertThat(workflows.runs().cancel(RUN)).isFalse();
  }

  @Test
  void aCompensationIsRetriedByItself() {
    AtomicInteger attempts = new AtomicInteger();
    WorkflowStep<@Nullable String> flaky =
        WorkflowStep.of("hotel", Codec.text())
            .withRetries(SOON)
            .compensatedBy(
                e -> {
                  if (attempts.incrementAndGet() < 3) {
                    throw new IllegalStateException("not now");
                  }
                  return effect("undo hotel");
                });
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BOOK,
                    (context, trip) -> {
                      context.step(undoable("flight"), e -> effect("flight"));
                      context.step(flaky, e -> effect("hotel"));
                      throw new IllegalStateException("no car");
                    }));

    workflows.start(BOOK, RUN, "Lima");
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(DATABASE.effects())
        .containsExactlyInAnyOrder("flight", "hotel", "undo flight", "undo hotel");
  }
}
