package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.jobs.RetryPolicy;
import dev.once.steps.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WaitTest {
  @RegisterExtension static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-wait");

  private static final Workflow<@Nullable String, @Nullable String> WAIT =
      Workflow.of("wait", 1, Codec.text(), Codec.text());
  private static final Workflow<@Nullable String, @Nullable String> CHILD =
      Workflow.of("child", 1, Codec.text(), Codec.text());
  private static final SignalType<String> PAID = SignalType.of("paid", Codec.text());
  private static final WorkflowStep<@Nullable String> NOTE = WorkflowStep.of("note", Codec.text());
  private static final Duration SOON = Duration.ofMillis(5);
  private static final RunId RUN = new RunId("acme", "order-1");

  @Test
  void sleepsWithoutAThreadAndContinuesInTime() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    WAIT,
                    (context, order) -> {
                      context.step(NOTE, e -> effect("before"));
                      context.sleep(Duration.ofMillis(300));
                      return context.step(NOTE, e -> effect("after"));
                    }));

    workflows.start(WAIT, RUN, "boots");
    DATABASE.awaitSuspended(RUN);
    List<WaitReason> reasons = workflows.runs().waits(RUN);
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(reasons)
        .anySatisfy(
            it -> {
              assertThat(it.what()).isEqualTo("waiting timer sleep");
              assertThat(it.until()).isPresent();
            });
    assertThat(DATABASE.effects()).containsExactly("before", "after");
    assertThat(
            DATABASE.query(
                """
                SELECT extract(epoch FROM b.started_at - a.changed_at) >= 0.3
                FROM once_workflow_entry a, once_workflow_entry b
                WHERE a.path = '1' AND b.path = '3'
                """))
        .containsExactly("t");
  }

  @Test
  void itsRowsSayWhyARunIsWaiting() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Workflows workflows =
        DATABASE.workflows(
            it ->
                it.register(
                    WAIT,
                    (context, order) -> {
                      context.awaitSignal(PAID);
                      return context.step(
                          NOTE,
                          e -> {
                            mayEnd.await();
                            return "noted";
                          });
                    }));
    workflows.start(WAIT, RUN, "boots");
    assertThat(reasons(workflows))
        .singleElement()
        .asString()
        .contains("of wait.v1 is ready: no worker");

    DATABASE.work(workflows);
    DATABASE.awaitSuspended(RUN);
    assertThat(reasons(workflows)).contains("waiting signal paid");

    workflows.signal(RUN, PAID, "1", "all of it");
    Polling.until(
        () -> workflows.runs().waits(RUN),
        it ->
            it.stream()
                .anyMatch(
                    reason ->
                        reason.what().contains("of wait.v1 runs, until its lease ends")
                            && reason.until().isPresent()));
    mayEnd.countDown();
    WorkflowDatabase.ended(workflows, RUN);
  }

  private static List<String> reasons(Workflows workflows) {
    return workflows.runs().waits(RUN).stream().map(WaitReason::what).toList();
  }

  @Test
  void aTimeThatHasPassedIsNoWait() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    WAIT,
                    (context, order) -> {
                      context.sleepUntil(Instant.EPOCH);
                      return "done";
                    }));

    workflows.start(WAIT, RUN, "boots");

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
  }

  @Test
  void receivesASignalThatArrivedBeforeAndOneThatArrivesLater() {
    Workflows workflows =
        DATABASE.workflows(
            it ->
                it.register(
                    WAIT,
                    (context, order) ->
                        context.awaitSignal(PAID) + " " + context.awaitSignal(PAID)));
    workflows.start(WAIT, RUN, "boots");
    SignalResult first = workflows.signal(RUN, PAID, "1", "half");
    SignalResult again = workflows.signal(RUN, PAID, "1", "half");
    DATABASE.work(workflows);
    Polling.until(
        () -> DATABASE.query("SELECT state FROM once_workflow_entry WHERE path = '2'"),
        it -> it.equals(List.of("waiting")));
    DATABASE.awaitSuspended(RUN);

    SignalResult second = workflows.signal(RUN, PAID, "2", "rest");
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(List.of(first, again, second))
        .containsExactly(SignalResult.ACCEPTED, SignalResult.KNOWN, SignalResult.ACCEPTED);
    assertThat(workflows.runs().value(RUN, WAIT)).hasValue("half rest");
    assertThat(workflows.signal(RUN, PAID, "3", "more")).isEqualTo(SignalResult.ENDED);
    assertThat(workflows.signal(new RunId("acme", "none"), PAID, "3", "more"))
        .isEqualTo(SignalResult.MISSING);
    assertThat(workflows.signal(new RunId("other", "order-1"), PAID, "3", "more"))
        .isEqualTo(SignalResult.MISSING);
  }

  @Test
  void aWorkflowSignalsAnotherInATransactionOfItsOwn() {
    AtomicReference<@Nullable Workflows> own = new AtomicReference<>();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(WAIT, (context, order) -> context.awaitSignal(PAID))
                    .register(
                        CHILD,
                        (context, order) ->
                            context.transaction(
                                NOTE.withRetries(RetryPolicy.SHORT.withDelays(SOON, SOON)),
                                (connection, e) -> {
                                  String payment = "payment-" + e.attempt();
                                  Objects.requireNonNull(own.get())
                                      .signal(connection, RUN, PAID, payment, payment);
                                  if (e.attempt() == 1) {
                                    throw new IllegalStateException("rolled back");
                                  }
                                  return payment;
                                })));
    own.set(workflows);
    workflows.start(WAIT, RUN, "boots");

    workflows.start(CHILD, new RunId("acme", "payment"), "boots");

    WorkflowDatabase.ended(workflows, RUN);
    assertThat(workflows.runs().value(RUN, WAIT)).hasValue("payment-2");
    assertThat(DATABASE.query("SELECT id FROM once_workflow_signal")).containsExactly("payment-2");
  }

  @Test
  void aSignalMayNotArriveInTime() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    WAIT,
                    (context, order) ->
                        context.awaitSignal(PAID, Duration.ofMillis(50)).orElse("unpaid")));

    workflows.start(WAIT, RUN, "boots");
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(workflows.runs().value(RUN, WAIT)).hasValue("unpaid");
  }

  @Test
  void noSignalIsLostBetweenManySendersAndARunThatKeepsWaiting() throws Exception {
    int signals = 60;
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    WAIT,
                    (context, order) -> {
                      int sum = 0;
                      for (int i = 0; i < signals; i++) {
                        sum += Integer.parseInt(context.awaitSignal(PAID));
                      }
                      return String.valueOf(sum);
                    }));
    workflows.start(WAIT, RUN, "boots");

    java.util.stream.IntStream.rangeClosed(1, signals)
        .parallel()
        .forEach(i -> workflows.signal(RUN, PAID, "" + i, "" + i));
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(workflows.runs().value(RUN, WAIT)).hasValue("" + signals * (signals + 1) / 2);
  }

  @Test
  void waitsForAChild() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(CHILD, (context, input) -> context.step(NOTE, e -> "child of " + input))
                    .register(
                        WAIT,
                        (context, order) ->
                            context.child(CHILD, context.run().value() + "-ship", order)));

    workflows.start(WAIT, RUN, "boots");
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(workflows.runs().value(RUN, WAIT)).hasValue("child of boots");
  }

  @Test
  void theFailureOfAChildIsOneOfItsParent() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                        CHILD,
                        (context, input) -> {
                          throw new IllegalStateException("no " + input);
                        })
                    .register(WAIT, (context, order) -> context.child(CHILD, "ship", order)));

    workflows.start(WAIT, RUN, "boots");
    RunView ended = WorkflowDatabase.ended(workflows, RUN);

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(ended.failure().orElseThrow()).contains("child failed").contains("no boots");
  }

  @Test
  void cancellingAParentCancelsItsChild() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(CHILD, (context, input) -> context.awaitSignal(PAID))
                    .register(WAIT, (context, order) -> context.child(CHILD, "ship", order)));
    workflows.start(WAIT, RUN, "boots");
    RunId child = new RunId("acme", "ship");
    Polling.until(() -> workflows.runs().find(child), java.util.Optional::isPresent);
    DATABASE.awaitSuspended(child);

    workflows.runs().cancel(RUN);

    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.CANCELLED);
    assertThat(WorkflowDatabase.ended(workflows, child).state()).isEqualTo(RunState.CANCELLED);
  }

  private static @Nullable String effect(String name) {
    DATABASE.effect(name);
    return name;
  }
}
