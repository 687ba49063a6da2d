package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.jobs.JobException;
import dev.once.jobs.Queue;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What happens when the parts of a run fail, are abandoned or interrupted. */
class RunFaultsTest {
  @RegisterExtension
  static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-faults");

  private static final Workflow<@Nullable String, @Nullable String> BOOK =
      Workflow.of("book", 1, Codec.text(), Codec.text());
  private static final Workflow<@Nullable String, @Nullable String> CHILD =
      Workflow.of("child", 1, Codec.text(), Codec.text());
  private static final SignalType<String> GO = SignalType.of("go", Codec.text());
  private static final RetryPolicy SOON =
      RetryPolicy.SHORT.withDelays(Duration.ofMillis(1), Duration.ofMillis(5));
  private static final WorkflowStep<@Nullable String> WORK =
      WorkflowStep.of("work", Codec.text()).withRetries(SOON);
  private static final RunId RUN = new RunId("acme", "trip-1");

  private static RunView run(WorkflowFunction<@Nullable String, @Nullable String> code) {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(BOOK, code)
                    .register(CHILD, (context, order) -> context.awaitSignal(GO)));
    workflows.start(BOOK, RUN, "Lima");
    return WorkflowDatabase.ended(workflows, RUN);
  }

  private static String effect(String name) {
    DATABASE.effect(name);
    return name;
  }

  @Test
  void anAskingStepFailsWhenItsAttemptsAreUsedUp() {
    AtomicInteger attempts = new AtomicInteger();

    RunView ended =
        run(
            (context, trip) ->
                context.step(
                    WORK.asking(execution -> EffectState.didNotHappen()),
                    e -> {
                      attempts.incrementAndGet();
                      throw new IllegalStateException("declined");
                    }));

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(ended.failure().orElseThrow()).contains("declined");
    assertThat(attempts).hasValue(SOON.attempts());
  }

  @Test
  void questionsWithoutAnAnswerUseUpNoAttempt() {
    AtomicInteger attempts = new AtomicInteger();
    AtomicInteger questions = new AtomicInteger();

    RunView ended =
        run(
            (context, trip) ->
                context.step(
                    WORK.asking(
                        execution ->
                            questions.incrementAndGet() < 10
                                ? EffectState.unknown()
                                : EffectState.didNotHappen()),
                    e -> {
                      if (attempts.incrementAndGet() == 1) {
                        throw new IllegalStateException("no answer");
                      }
                      return "booked";
                    }));

    assertThat(ended.state()).isEqualTo(RunState.COMPLETED);
    assertThat(attempts).hasValue(2);
  }

  @Test
  void anErrorIsAFailedAttemptOfItsStep() {
    RunView ended =
        run(
            (context, trip) -> {
              context.step(WORK.compensatedBy(e -> effect("undone")), e -> "");
              return context.step(
                  WORK,
                  e -> {
                    effect("attempt " + e.attempt());
                    throw new AssertionError("broken");
                  });
            });

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(ended.failure().orElseThrow()).contains("work failed: java.lang.AssertionError");
    assertThat(DATABASE.effects())
        .containsExactly("attempt 1", "attempt 2", "attempt 3", "attempt 4", "attempt 5", "undone");
  }

  @Test
  void anErrorIsAFailedAttemptOfATransactionToo() {
    RunView ended =
        run(
            (context, trip) ->
                context.transaction(
                    WORK,
                    (connection, e) -> {
                      if (e.attempt() < 3) {
                        throw new StackOverflowError();
                      }
                      return "attempt " + e.attempt();
                    }));

    assertThat(ended.state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.query("SELECT attempt FROM once_workflow_entry")).containsExactly("2");
  }

  @Test
  void anErrorOfAReconcilerIsNoAnswer() {
    AtomicInteger questions = new AtomicInteger();

    RunView ended =
        run(
            (context, trip) ->
                context.step(
                    WORK.asking(
                        execution -> {
                          if (questions.incrementAndGet() < 3) {
                            throw new AssertionError("broken");
                          }
                          return EffectState.happened("booked");
                        }),
                    e -> {
                      effect("booked");
                      throw new IllegalStateException("no answer");
                    }));

    assertThat(ended.state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.effects()).containsExactly("booked");
    // No activation failed by it.
    assertThat(DATABASE.query("SELECT attempt FROM once_job_done")).containsOnly("1");
  }

  @Test
  void aValueThatCannotBeStoredFailsTheStepAndDoesNotRepeatIt() {
    RunView ended =
        run(
            (context, trip) -> {
              context.step(
                  WORK,
                  e -> {
                    effect("booked");
                    return incompressible();
                  });
              return "not reached";
            });

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(ended.failure().orElseThrow()).contains("must have at most 1048576 bytes");
    assertThat(DATABASE.effects()).containsExactly("booked");
  }

  private static String incompressible() {
    StringBuilder text = new StringBuilder();
    new Random(1).ints(2 * Values.MAX_BYTES, ' ', '~').forEach(it -> text.append((char) it));
    return text.toString();
  }

  @Test
  void aRunThatCompensatesDoesNotActivateItselfAllTheTime() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BOOK,
                    (context, trip) -> {
                      context.step(
                          WORK.withRetries(
                                  RetryPolicy.SHORT.withDelays(
                                      Duration.ofSeconds(1), Duration.ofSeconds(1)))
                              .compensatedBy(
                                  e -> {
                                    if (e.attempt() == 1) {
                                      throw new IllegalStateException("not now");
                                    }
                                    return effect("undone");
                                  }),
                          e -> "");
                      context.any(
                          List.of(
                              branch -> branch.awaitSignal(GO),
                              branch -> {
                                branch.sleep(Duration.ofMillis(300));
                                return branch.awaitSignal(GO);
                              }));
                      return "not reached";
                    }));
    workflows.start(BOOK, RUN, "Lima");
    Polling.until(
        () -> DATABASE.query("SELECT count(*) FROM once_workflow_entry WHERE state = 'waiting'"),
        it -> it.equals(List.of("2")));

    workflows.runs().cancel(RUN);
    Polling.until(
        () -> workflows.runs().find(RUN).orElseThrow().state(), it -> it == RunState.COMPENSATING);
    workflows.signal(RUN, GO, "1", "too late");
    RunView ended = WorkflowDatabase.ended(workflows, RUN);

    assertThat(ended.state()).isEqualTo(RunState.CANCELLED);
    assertThat(DATABASE.effects()).containsExactly("undone");
    assertThat(ended.activations()).isLessThan(15);
  }

  @Test
  void aSnoozedCompensationIsNotAnAttemptAndAnErrorIsOne() {
    AtomicInteger calls = new AtomicInteger();

    RunView ended =
        run(
            (context, trip) -> {
              context.step(WORK.compensatedBy(e -> effect("undone")), e -> "");
              context.step(
                  WORK.compensatedBy(
                      e -> {
                        throw new AssertionError("broken");
                      }),
                  e -> "");
              context.step(
                  WORK.compensatedBy(
                      e -> {
                        if (calls.incrementAndGet() < 10) {
                          throw new JobException.Snooze("too early", Duration.ZERO);
                        }
                        return effect("undone in attempt " + e.attempt());
                      }),
                  e -> "");
              throw new IllegalStateException("no car");
            });

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(DATABASE.effects()).containsExactlyInAnyOrder("undone", "undone in attempt 1");
  }

  @Test
  void whatALosingBranchDidIsUndone() {
    RunView ended =
        run(
            (context, trip) -> {
              context.any(
                  List.of(
                      branch -> {
                        branch.step(
                            WORK.compensatedBy(e -> effect("undone")), e -> effect("loser"));
                        branch.sleep(Duration.ofDays(1));
                        return branch.step(WORK, e -> effect("never"));
                      },
                      branch -> {
                        branch.sleep(Duration.ofMillis(50));
                        return "winner";
                      }));
              context.sleep(Duration.ofMillis(1)); // So that all of it is replayed.
              throw new IllegalStateException("no car");
            });

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(DATABASE.effects()).containsExactly("loser", "undone");
  }

  @Test
  void aBranchThatLostDoesNothingNewNorDoItsBranches() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    AtomicBoolean hasWon = new AtomicBoolean();

    RunView ended =
        run(
            (context, trip) ->
                context.any(
                    List.of(
                        branch -> {
                          started.await();
                          hasWon.set(true);
                          return "winner";
                        },
                        branch ->
                            branch
                                .all(
                                    List.<Branch<@Nullable String>>of(
                                        inner -> {
                                          inner.step(WORK, e -> ignoreInterrupts(started, hasWon));
                                          inner.child(CHILD, "late-child", "x");
                                          return "";
                                        },
                                        inner -> {
                                          inner.step(WORK, e -> ignoreInterrupts(started, hasWon));
                                          return inner.step(WORK, e -> effect("late"));
                                        }))
                                .get(0))));

    assertThat(ended.state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.effects()).isEmpty();
    assertThat(DATABASE.query("SELECT run FROM once_workflow_run")).containsExactly("trip-1");
  }

  /** Goes on until another branch has won, and a bit longer. */
  private static String ignoreInterrupts(CountDownLatch started, AtomicBoolean hasWon) {
    started.countDown();
    Polling.until(hasWon::get, it -> it);
    // The winner is known to the run when it has interrupted this branch.
    Polling.until(Thread.currentThread()::isInterrupted, it -> it);
    boolean unused = Thread.interrupted();
    return "";
  }

  @Test
  @SuppressWarnings("try") // The workers work until they are closed.
  void aWorkerThatStopsWaitsForTheBranchesThatItStarted() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicBoolean hasEnded = new AtomicBoolean();
    AtomicBoolean overtook = new AtomicBoolean();
    AtomicInteger calls = new AtomicInteger();
    Workflows workflows =
        DATABASE.workflows(
            it ->
                it.register(
                    BOOK,
                    (context, trip) ->
                        context.any(
                            List.of(
                                branch ->
                                    branch.step(
                                        WORK,
                                        e -> {
                                          if (calls.incrementAndGet() > 1) {
                                            overtook.set(!hasEnded.get());
                                            return "again";
                                          }
                                          started.countDown();
                                          awaitUninterrupted(mayEnd);
                                          hasEnded.set(true);
                                          throw new IllegalStateException("interrupted");
                                        }),
                                branch -> {
                                  started.await();
                                  if (calls.get() > 1) {
                                    throw new IllegalStateException("loses");
                                  }
                                  new CountDownLatch(1).await();
                                  return "";
                                }))));
    workflows.start(BOOK, RUN, "Lima");
    Thread branch =
        new Thread(
            () -> {
              Polling.until(
                  () -> DATABASE.query("SELECT state FROM once_job"),
                  it -> !it.equals(List.of("running")) || hasEnded.get());
              mayEnd.countDown();
            });
    try (AutoCloseable first = DATABASE.work(workflows)) {
      started.await();
      // The drain takes five seconds; then the handler is interrupted.
      mayEndLater(mayEnd);
      branch.start();
    }
    branch.join();
    DATABASE.work(workflows);

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(overtook).isFalse();
  }

  private static void mayEndLater(CountDownLatch mayEnd) {
    var unused =
        CompletableFuture.runAsync(
            mayEnd::countDown, CompletableFuture.delayedExecutor(8, TimeUnit.SECONDS));
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    while (true) {
      try {
        latch.await();
        return;
      } catch (InterruptedException ignored) {
        // Waits on, as an effect does that ignores interrupts.
      }
    }
  }

  @Test
  void aWorkerThatStopsDoesNotFailARunWhoseCodeItInterrupts() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    Workflows workflows =
        DATABASE.workflows(
            it ->
                it.register(
                    BOOK,
                    (context, trip) -> {
                      context.step(WORK, e -> effect("first"));
                      if (calls.incrementAndGet() == 1) {
                        started.countDown();
                        new CountDownLatch(1).await();
                      }
                      return context.step(WORK, e -> effect("second"));
                    }));
    workflows.start(BOOK, RUN, "Lima");
    try (Workers first =
        workflows.addTo(Workers.over(DATABASE.jobs())).drain(Duration.ZERO).start()) {
      assertThat(first).isNotNull();
      started.await();
    }
    DATABASE.work(workflows);

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.effects()).containsExactly("first", "second");
  }

  @Test
  void aRunWhoseLeaseIsLostBetweenStepsGoesOn() throws Exception {
    Workflows workflows =
        DATABASE.workflows(
            it ->
                it.register(
                    BOOK,
                    (context, trip) -> {
                      context.step(WORK, e -> loseLease());
                      return context.step(WORK, e -> effect("second"));
                    }));
    workflows.start(BOOK, RUN, "Lima");
    Queue queue = Queue.named(WorkflowDatabase.QUEUE).withLease(Queue.MIN_LEASE);

    try (Workers workers =
        workflows.addTo(Workers.over(DATABASE.jobs())).queue(queue).drain(Duration.ZERO).start()) {
      assertThat(workers).isNotNull();
      assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    }

    assertThat(DATABASE.effects()).containsExactly("second");
  }

  /** Locks the job, so that its lease is neither renewed nor given to another worker. */
  private static String loseLease() throws SQLException {
    try (Connection connection = DATABASE.pool().getConnection()) {
      connection.setAutoCommit(false);
      Sql.query(connection, "SELECT id FROM once_job FOR UPDATE");
      Polling.until(Thread.currentThread()::isInterrupted, it -> it);
      boolean unused = Thread.interrupted();
      connection.rollback();
    }
    return "";
  }

  @Test
  void aFailureThatTheCodeCaughtStaysWhenTheRunIsResumed() {
    AtomicBoolean isOpen = new AtomicBoolean();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BOOK,
                    (context, trip) -> {
                      try {
                        context.step(WORK, e -> giveUpUnless(isOpen));
                      } catch (StepFailedException e) {
                        context.step(
                            WorkflowStep.of("fallback", Codec.text()), it2 -> effect("fallback"));
                      }
                      return context.step(WORK, e -> giveUpUnless(isOpen));
                    }));
    workflows.start(BOOK, RUN, "Lima");
    WorkflowDatabase.ended(workflows, RUN);
    isOpen.set(true);

    workflows.runs().resume(RUN);

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.effects()).containsExactly("fallback", "open");
  }

  private static String giveUpUnless(AtomicBoolean isOpen) throws JobException {
    if (!isOpen.get()) {
      throw new JobException.GiveUp("closed");
    }
    return effect("open");
  }

  @Test
  void aParentThatIsResumedAfterItsChildGetsTheChildsValue() {
    AtomicBoolean isOpen = new AtomicBoolean();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(BOOK, (context, trip) -> context.child(CHILD, "hotel", trip))
                    .register(
                        CHILD, (context, trip) -> context.step(WORK, e -> giveUpUnless(isOpen))));
    RunId child = new RunId("acme", "hotel");
    workflows.start(BOOK, RUN, "Lima");
    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.FAILED);
    isOpen.set(true);
    workflows.runs().resume(child);
    WorkflowDatabase.ended(workflows, child);

    workflows.runs().resume(RUN);

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(workflows.runs().value(RUN, BOOK)).hasValue("open");
  }

  @Test
  void aParentThatIsResumedBeforeItsChildHearsOfTheChildsSecondEnd() {
    AtomicBoolean isOpen = new AtomicBoolean();
    Workflows workflows =
        DATABASE.workflows(
            it ->
                it.register(BOOK, (context, trip) -> context.child(CHILD, "hotel", trip))
                    .register(
                        CHILD, (context, trip) -> context.step(WORK, e -> giveUpUnless(isOpen))));
    DATABASE.work(workflows);
    RunId child = new RunId("acme", "hotel");
    workflows.start(BOOK, RUN, "Lima");
    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.FAILED);
    // As if the child were slow: it is open again when the parent asks.
    DATABASE.execute(
        "UPDATE once_workflow_run SET state = 'running', ended_at = NULL WHERE run = 'hotel'");
    workflows.runs().resume(RUN);
    DATABASE.awaitSuspended(RUN);
    isOpen.set(true);
    DATABASE.execute("DELETE FROM once_workflow_entry WHERE run = 'hotel'");

    workflows.runs().resume(child);

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
  }

  @Test
  void aHistoryIsLimited() {
    History history = new History(List.of(), Instant.EPOCH);
    for (int i = 0; i < 32; i++) {
      history.requireRoom();
      EntryWrite.of("" + i, EntryKind.STEP, "work", EntryState.DONE)
          .value(new byte[Values.MAX_BYTES])
          .addTo(history);
    }

    assertThatThrownBy(history::requireRoom)
        .isInstanceOf(HistoryFullException.class)
        .hasMessageContaining("33554432 bytes");
  }
}
