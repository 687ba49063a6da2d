package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.steps.RunId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Code that does something else each time it is called stops, before it does anything twice. */
class DeterminismTest {
  @RegisterExtension
  static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-determinism");

  private static final Workflow<@Nullable String, @Nullable String> SHIP =
      Workflow.of("ship", 1, Codec.text(), Codec.text());
  private static final RunId RUN = new RunId("acme", "order-1");

  @Test
  void codeThatCallsSomethingElseTheSecondTimeStops() {
    AtomicInteger calls = new AtomicInteger();
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    SHIP,
                    (context, order) -> {
                      String name = calls.incrementAndGet() == 1 ? "by air" : "by sea";
                      context.step(step(name), e -> effect(name));
                      context.sleep(Duration.ofMillis(20));
                      return order;
                    }));

    assertThat(stopped(workflows))
        .contains("the code calls step by sea at 1, where the history has step by air");
    assertThat(DATABASE.effects()).containsExactly("by air");
  }

  @Test
  void aThreadOfTheCodesOwnMayNotCallTheContext() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    SHIP,
                    (context, order) ->
                        CompletableFuture.supplyAsync(
                                () -> context.step(step("pack"), e -> effect("pack")))
                            .get()));

    assertThat(stopped(workflows)).contains("the code calls a context on thread ");
    assertThat(DATABASE.effects()).isEmpty();
  }

  @Test
  void aBranchMayNotCallTheContextAroundIt() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    SHIP,
                    (context, order) ->
                        String.join(
                            " ",
                            context.all(
                                List.<Branch<@Nullable String>>of(
                                    branch -> context.step(step("pack"), e -> effect("pack")))))));

    assertThat(stopped(workflows)).contains("in each branch the context that it gets");
    assertThat(DATABASE.effects()).isEmpty();
  }

  /** Starts a run, and returns why it does not continue. */
  private static String stopped(Workflows workflows) {
    workflows.start(SHIP, RUN, "boots");
    List<WaitReason> reasons =
        Polling.until(
            () -> workflows.runs().waits(RUN),
            it -> it.stream().anyMatch(reason -> reason.what().contains("dead letter")));
    assertThat(workflows.runs().find(RUN).orElseThrow().state()).isEqualTo(RunState.RUNNING);
    return reasons.toString();
  }

  private static WorkflowStep<@Nullable String> step(String name) {
    return WorkflowStep.of(name, Codec.text());
  }

  private static @Nullable String effect(String name) {
    DATABASE.effect(name);
    return name;
  }
}
