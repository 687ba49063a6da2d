package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.jobs.JobException;
import dev.once.jobs.RetryPolicy;
import dev.once.steps.RunId;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WorkflowTest {
  @RegisterExtension static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow");

  private static final Workflow<@Nullable String, @Nullable String> FULFIL =
      Workflow.of("fulfil", 1, Codec.text(), Codec.text());
  private static final RetryPolicy SOON =
      RetryPolicy.SHORT.withDelays(Duration.ofMillis(1), Duration.ofMillis(5));
  private static final WorkflowStep<@Nullable String> RESERVE = step("reserve");
  private static final WorkflowStep<@Nullable String> CHARGE = step("charge");
  private static final RunId RUN = new RunId("acme", "order-1");

  private static WorkflowStep<@Nullable String> step(String name) {
    return WorkflowStep.of(name, Codec.text()).withRetries(SOON);
  }

  private static @Nullable String effect(String name) {
    DATABASE.effect(name);
    return name;
  }

  @Test
  void runsStepsInTheirOrderAndKeepsTheValue() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    FULFIL,
                    (context, order) -> {
                      String reserved = context.step(RESERVE, e -> effect("reserved " + order));
                      String charged = context.step(CHARGE, e -> effect("charged " + order));
                      return reserved + ", " + charged;
                    }));

    boolean isStarted = workflows.start(FULFIL, RUN, "boots");
    RunView ended = WorkflowDatabase.ended(workflows, RUN);

    assertThat(isStarted).isTrue();
    assertThat(ended.state()).isEqualTo(RunState.COMPLETED);
    assertThat(workflows.runs().value(RUN, FULFIL)).hasValue("reserved boots, charged boots");
    assertThat(DATABASE.effects()).containsExactly("reserved boots", "charged boots");
  }

  @Test
  void startsARunIfAndOnlyIfTheTransactionCommits() throws Exception {
    Workflows workflows = DATABASE.workflows(it -> it.register(FULFIL, (context, order) -> order));
    RunId other = new RunId("acme", "order-2");

    try (Connection connection = DATABASE.pool().getConnection()) {
      connection.setAutoCommit(false);
      workflows.start(connection, FULFIL, RUN, "boots");
      connection.rollback();
      workflows.start(connection, FULFIL, other, "boots");
      connection.commit();
    }

    assertThat(workflows.runs().find(RUN)).isEmpty();
    assertThat(workflows.runs().find(other)).isPresent();
    assertThat(DATABASE.query("SELECT count(*) FROM once_job")).containsExactly("1");
  }

  @Test
  void startsARunOnce() {
    Workflows workflows = DATABASE.workflows(it -> it.register(FULFIL, (context, order) -> order));
    workflows.start(FULFIL, RUN, "boots");

    assertThat(workflows.start(FULFIL, RUN, "boots")).isFalse();
    assertThatThrownBy(() -> workflows.start(FULFIL, RUN, "hats"))
        .isInstanceOf(RunMismatchException.class)
        .hasMessageContaining("order-1");
    assertThat(DATABASE.query("SELECT count(*) FROM once_job")).containsExactly("1");
  }

  @Test
  void retriesAStepWithoutRepeatingTheOnesBefore() {
    AtomicInteger attempts = new AtomicInteger();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    FULFIL,
                    (context, order) -> {
                      context.step(RESERVE, e -> effect("reserved"));
                      return context.step(
                          CHARGE,
                          e -> {
                            if (attempts.incrementAndGet() < 3) {
                              throw new IllegalStateException("the bank is closed");
                            }
                            return effect("charged in attempt " + e.attempt());
                          });
                    }));

    workflows.start(FULFIL, RUN, "boots");

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.effects()).containsExactly("reserved", "charged in attempt 3");
  }

  @Test
  void aSnoozeIsNotAnAttempt() {
    AtomicInteger calls = new AtomicInteger();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    FULFIL,
                    (context, order) ->
                        context.step(
                            CHARGE,
                            e -> {
                              if (calls.incrementAndGet() < 30) {
                                throw new JobException.Snooze("too early", Duration.ZERO);
                              }
                              return "attempt " + e.attempt();
                            })));

    workflows.start(FULFIL, RUN, "boots");

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(workflows.runs().value(RUN, FULFIL)).hasValue("attempt 1");
  }

  @Test
  void failsWhenTheAttemptsOfAStepAreUsedUp() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    FULFIL,
                    (context, order) ->
                        context.step(
                            CHARGE,
                            e -> {
                              throw new IllegalStateException("the bank is closed");
                            })));

    workflows.start(FULFIL, RUN, "boots");
    RunView ended = WorkflowDatabase.ended(workflows, RUN);

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(ended.failure().orElseThrow()).contains("charge failed").contains("closed");
    assertThat(workflows.runs().history(RUN))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.state()).isEqualTo("failed");
              assertThat(it.failedAttempts()).isEqualTo(5);
            });
  }

  @Test
  void theCodeMayCatchTheFailureOfAStep() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    FULFIL,
                    (context, order) -> {
                      try {
                        return context.step(
                            CHARGE,
                            e -> {
                              throw new JobException.GiveUp("declined");
                            });
                      } catch (StepFailedException e) {
                        context.sleep(Duration.ofMillis(1)); // So that the failure is replayed.
                        return context.step(RESERVE, it2 -> "invoice, because " + e.name());
                      }
                    }));

    workflows.start(FULFIL, RUN, "boots");

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(workflows.runs().value(RUN, FULFIL)).hasValue("invoice, because charge");
  }

  @Test
  void resumesARunThatFailedAtTheStepThatFailed() {
    AtomicInteger isOpen = new AtomicInteger();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    FULFIL,
                    (context, order) -> {
                      context.step(RESERVE, e -> effect("reserved"));
                      return context.step(
                          CHARGE,
                          e -> {
                            if (isOpen.get() == 0) {
                              throw new JobException.GiveUp("closed");
                            }
                            return effect("charged");
                          });
                    }));
    workflows.start(FULFIL, RUN, "boots");
    WorkflowDatabase.ended(workflows, RUN);
    isOpen.set(1);

    boolean isResumed = workflows.runs().resume(RUN);

    assertThat(isResumed).isTrue();
    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.effects()).containsExactly("reserved", "charged");
    assertThat(workflows.runs().resume(RUN)).isFalse();
  }

  @Test
  void interruptsAStepAtItsDeadline() {
    AtomicInteger attempts = new AtomicInteger();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    FULFIL,
                    (context, order) ->
                        context.step(
                            CHARGE.withDeadline(Duration.ofMillis(50)),
                            e -> {
                              if (attempts.incrementAndGet() == 1) {
                                new java.util.concurrent.CountDownLatch(1).await();
                              }
                              return "attempt " + e.attempt();
                            })));

    workflows.start(FULFIL, RUN, "boots");

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(workflows.runs().value(RUN, FULFIL)).hasValue("attempt 2");
  }

  @Test
  void everyAttemptHasTheSameKeyAndAHigherFence() {
    List<String> keys = new java.util.concurrent.CopyOnWriteArrayList<>();
    List<Long> fences = new java.util.concurrent.CopyOnWriteArrayList<>();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    FULFIL,
                    (context, order) ->
                        context.step(
                            CHARGE,
                            e -> {
                              keys.add(e.key().value());
                              fences.add(e.fence());
                              if (keys.size() < 3) {
                                throw new IllegalStateException("again");
                              }
                              return "done";
                            })));

    workflows.start(FULFIL, RUN, "boots");
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(keys).hasSize(3).containsOnly("1:charge");
    assertThat(fences).isSorted().doesNotHaveDuplicates();
  }
}
