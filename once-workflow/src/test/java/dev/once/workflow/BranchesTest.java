package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.steps.RunId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BranchesTest {
  @RegisterExtension
  static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-branches");

  private static final Workflow<@Nullable String, @Nullable String> BRANCH =
      Workflow.of("branch", 1, Codec.text(), Codec.text());
  private static final WorkflowStep<@Nullable String> WORK = WorkflowStep.of("work", Codec.text());
  private static final RunId RUN = new RunId("acme", "order-1");

  @Test
  void runsAllBranchesAtTheSameTimeAndEachStepOnce() {
    CyclicBarrier together = new CyclicBarrier(3);
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BRANCH,
                    (context, order) -> {
                      List<@Nullable String> values =
                          context.all(
                              List.<Branch<@Nullable String>>of(
                                  branch("a", together),
                                  branch("b", together),
                                  branch("c", together)));
                      context.sleep(Duration.ofMillis(1)); // So that all of it is replayed.
                      return String.join(" ", values);
                    }));

    workflows.start(BRANCH, RUN, "boots");
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(workflows.runs().value(RUN, BRANCH)).hasValue("a b c");
    assertThat(DATABASE.effects()).containsExactlyInAnyOrder("a", "b", "c");
  }

  private static Branch<@Nullable String> branch(String name, CyclicBarrier together) {
    return context ->
        context.step(
            WORK,
            e -> {
              together.await(10, TimeUnit.SECONDS);
              DATABASE.effect(name);
              return name;
            });
  }

  @Test
  void branchesWaitIndependently() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BRANCH,
                    (context, order) ->
                        String.join(
                            " ",
                            context.all(
                                List.of(
                                    branch -> {
                                      branch.sleep(Duration.ofMillis(100));
                                      return branch.step(WORK, e -> "late");
                                    },
                                    branch -> branch.step(WORK, e -> "early"))))));

    workflows.start(BRANCH, RUN, "boots");
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(workflows.runs().value(RUN, BRANCH)).hasValue("late early");
  }

  @Test
  void anyTakesTheFirstAndTheOthersDoNotContinue() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BRANCH,
                    (context, order) -> {
                      String first =
                          context.any(
                              List.of(
                                  branch -> {
                                    branch.sleep(Duration.ofDays(30));
                                    return branch.step(WORK, e -> "late");
                                  },
                                  branch -> {
                                    branch.sleep(Duration.ofMillis(20));
                                    return branch.step(WORK, e -> "early");
                                  }));
                      context.sleep(Duration.ofMillis(1));
                      return first;
                    }));

    workflows.start(BRANCH, RUN, "boots");
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(workflows.runs().value(RUN, BRANCH)).hasValue("early");
    assertThat(workflows.runs().history(RUN))
        .filteredOn(it -> it.path().equals("1/1/1"))
        .singleElement()
        .satisfies(it -> assertThat(it.state()).isEqualTo("abandoned"));
  }

  @Test
  void theChildOfABranchThatLostIsCancelled() {
    Workflow<@Nullable String, @Nullable String> child =
        Workflow.of("child", 1, Codec.text(), Codec.text());
    SignalType<String> never = SignalType.of("never", Codec.text());
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                        BRANCH,
                        (context, order) ->
                            context.any(
                                List.of(
                                    branch -> branch.child(child, "order-1-child", order),
                                    branch -> {
                                      branch.sleep(Duration.ofMillis(50));
                                      return "too late";
                                    })))
                    .register(child, (context, order) -> context.awaitSignal(never)));

    workflows.start(BRANCH, RUN, "boots");
    WorkflowDatabase.ended(workflows, RUN);

    assertThat(workflows.runs().value(RUN, BRANCH)).hasValue("too late");
    assertThat(WorkflowDatabase.ended(workflows, new RunId("acme", "order-1-child")).state())
        .isEqualTo(RunState.CANCELLED);
  }

  @Test
  void allFailsAfterEveryBranchHasEnded() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    BRANCH,
                    (context, order) -> {
                      context.all(
                          List.<Branch<@Nullable String>>of(
                              branch -> {
                                throw new IllegalStateException("broken");
                              },
                              branch -> {
                                branch.sleep(Duration.ofMillis(20));
                                return branch.step(
                                    WORK,
                                    e -> {
                                      DATABASE.effect("finished");
                                      return "finished";
                                    });
                              }));
                      return "not reached";
                    }));

    workflows.start(BRANCH, RUN, "boots");
    RunView ended = WorkflowDatabase.ended(workflows, RUN);

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(ended.failure().orElseThrow()).contains("broken");
    assertThat(DATABASE.effects()).containsExactly("finished");
  }
}
