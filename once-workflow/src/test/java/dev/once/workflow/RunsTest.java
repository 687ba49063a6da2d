package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.jobs.JobException;
import dev.once.steps.RunId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunsTest {
  @RegisterExtension static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-runs");

  private static final Workflow<@Nullable String, @Nullable String> SHIP =
      Workflow.of("ship", 1, Codec.text(), Codec.text());
  private static final Workflow<@Nullable String, @Nullable String> SHIP_2 =
      Workflow.of("ship", 2, Codec.text(), Codec.text());
  private static final SignalType<String> GO = SignalType.of("go", Codec.text());
  private static final RunId RUN = new RunId("acme", "order-1");

  private static final WorkflowFunction<@Nullable String, @Nullable String> PACK_AND_WAIT =
      (context, order) -> {
        context.step(step("pack"), "{\"order\": 1}", e -> effect("pack"));
        return context.awaitSignal(GO);
      };

  private static WorkflowStep<@Nullable String> step(String name) {
    return WorkflowStep.of(name, Codec.text());
  }

  private static @Nullable String effect(String name) {
    DATABASE.effect(name);
    return name;
  }

  /** Starts a run that has packed, and waits; then its workers end. */
  private static void packedRun() throws Exception {
    Workflows workflows = DATABASE.running(it -> it.register(SHIP, PACK_AND_WAIT));
    workflows.start(SHIP, RUN, "boots");
    DATABASE.awaitSuspended(RUN);
    DATABASE.stop();
  }

  @Test
  void refusesAHistoryThatTheCodeNoLongerMatches() throws Exception {
    List<WaitReason> reasons = deadByAChange();

    assertThat(reasons)
        .anySatisfy(
            it ->
                assertThat(it.what())
                    .contains("the code calls step weigh at 1, where the history has step pack")
                    .contains("new version"));
    assertThat(DATABASE.effects()).containsExactly("pack");
    assertThat(DATABASE.query("SELECT state FROM once_workflow_run")).containsExactly("running");
  }

  /** Returns why a run waits whose code was changed. */
  private static List<WaitReason> deadByAChange() throws Exception {
    packedRun();
    Workflows changed =
        DATABASE.running(
            it ->
                it.register(
                    SHIP,
                    (context, order) -> {
                      context.step(step("weigh"), e -> effect("weigh"));
                      return context.awaitSignal(GO);
                    }));

    changed.signal(RUN, GO, "1", "go");
    return Polling.until(
        () -> changed.runs().waits(RUN),
        it -> it.stream().anyMatch(reason -> reason.what().contains("dead letter")));
  }

  @Test
  void continuesWithTheRightCodeAfterItWasResumed() throws Exception {
    deadByAChange();
    DATABASE.stop();
    Workflows right = DATABASE.running(it -> it.register(SHIP, PACK_AND_WAIT));

    boolean isResumed = right.runs().resume(RUN);

    assertThat(isResumed).isTrue();
    assertThat(WorkflowDatabase.ended(right, RUN).state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.effects()).containsExactly("pack");
  }

  @Test
  void refusesAStepWithAnotherInput() throws Exception {
    packedRun();
    Workflows changed =
        DATABASE.workflows(
            it ->
                it.register(
                    SHIP,
                    (context, order) -> {
                      context.step(
                          step("pack"), "{\"order\": 1, \"gift\": true}", e -> effect("pack"));
                      return context.awaitSignal(GO);
                    }));

    assertThat(changed.runs().check("acme", 100))
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).contains("step pack with another input"));
  }

  @Test
  void refusesCodeThatEndsBeforeItsHistory() throws Exception {
    packedRun();
    Workflows changed = DATABASE.workflows(it -> it.register(SHIP, (context, order) -> "done"));

    assertThat(changed.runs().check("acme", 100))
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).contains("the code ends before 1"));
  }

  @Test
  void checksWithoutDoingAnything() throws Exception {
    packedRun();
    Workflows same = DATABASE.workflows(it -> it.register(SHIP, PACK_AND_WAIT));
    Workflows next = DATABASE.workflows(it -> it.register(SHIP_2, PACK_AND_WAIT));

    assertThat(same.runs().check("acme", 100)).isEmpty();
    assertThat(next.runs().check("acme", 100))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.run()).isEqualTo(RUN);
              assertThat(it.reason()).isEqualTo("ship version 1 is not registered");
            });
    assertThat(DATABASE.effects()).containsExactly("pack");
    assertThat(same.runs().check("other", 100)).isEmpty();
  }

  @Test
  void checksRunsThatCompensateToo() throws Exception {
    packedRun();
    DATABASE.execute("UPDATE once_workflow_run SET state = 'compensating'");
    Workflows next = DATABASE.workflows(it -> it.register(SHIP_2, PACK_AND_WAIT));

    assertThat(next.runs().check("acme", 100))
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).isEqualTo("ship version 1 is not registered"));
  }

  @Test
  void aRunStaysWithItsVersion() throws Exception {
    packedRun();
    Workflows both =
        DATABASE.running(
            it ->
                it.register(SHIP, PACK_AND_WAIT)
                    .register(SHIP_2, (context, order) -> effect("version 2")));
    RunId second = new RunId("acme", "order-2");

    both.signal(RUN, GO, "1", "version 1");
    both.start(SHIP_2, second, "hats");

    assertThat(WorkflowDatabase.ended(both, RUN).version()).isEqualTo(1);
    assertThat(WorkflowDatabase.ended(both, second).version()).isEqualTo(2);
    assertThat(both.runs().value(RUN, SHIP)).hasValue("version 1");
    assertThat(both.runs().value(second, SHIP_2)).hasValue("version 2");
  }

  @Test
  void forksFromACall() throws Exception {
    packedRun();
    Workflows workflows = DATABASE.running(it -> it.register(SHIP, PACK_AND_WAIT));
    RunId fromSecond = new RunId("acme", "fork-2");
    RunId fromFirst = new RunId("acme", "fork-1");

    assertThat(workflows.runs().fork(RUN, 2, "fork-2")).isTrue();
    assertThat(workflows.runs().fork(RUN, 1, "fork-1")).isTrue();
    assertThat(workflows.runs().fork(RUN, 1, "fork-1")).isFalse();
    workflows.signal(fromSecond, GO, "1", "second");
    workflows.signal(fromFirst, GO, "1", "first");
    WorkflowDatabase.ended(workflows, fromSecond);
    WorkflowDatabase.ended(workflows, fromFirst);

    assertThat(workflows.runs().value(fromSecond, SHIP)).hasValue("second");
    assertThat(workflows.runs().value(fromFirst, SHIP)).hasValue("first");
    assertThat(DATABASE.effects()).as("only the fork from 1 packs again").hasSize(2);
  }

  @Test
  void aForkNeitherWaitsForTheChildOfTheOtherRunNorCancelsIt() {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(SHIP, (context, order) -> context.child(SHIP_2, "parcel", order))
                    .register(SHIP_2, (context, order) -> context.awaitSignal(GO)));
    RunId fork = new RunId("acme", "fork-2");
    workflows.start(SHIP, RUN, "boots");
    DATABASE.awaitSuspended(RUN);

    workflows.runs().fork(RUN, 2, "fork-2");

    assertThat(WorkflowDatabase.ended(workflows, fork).failure().orElseThrow())
        .contains("run parcel of tenant acme exists");
    workflows.signal(new RunId("acme", "parcel"), GO, "1", "sent");
    assertThat(WorkflowDatabase.ended(workflows, RUN).state()).isEqualTo(RunState.COMPLETED);
  }

  @Test
  void listsRunsByStateInPages() throws Exception {
    Workflows workflows =
        DATABASE.running(
            it ->
                it.register(
                    SHIP,
                    (context, order) -> {
                      throw new JobException.GiveUp("no " + order);
                    }));
    for (int i = 0; i < 5; i++) {
      workflows.start(SHIP, new RunId("acme", "order-" + i), "boots");
    }
    workflows.start(SHIP, new RunId("other", "order-9"), "boots");
    RunQuery failed = RunQuery.of("acme", RunState.FAILED).withLimit(3);
    Polling.until(() -> workflows.runs().list(failed.withLimit(10)), it -> it.size() == 5);

    List<RunView> first = workflows.runs().list(failed);
    List<RunView> rest = workflows.runs().list(failed.after(first.get(2).run().value()));

    assertThat(first)
        .extracting(it -> it.run().value())
        .containsExactly("order-0", "order-1", "order-2");
    assertThat(rest).extracting(it -> it.run().value()).containsExactly("order-3", "order-4");
  }

  @Test
  void listsTenantsInPages() {
    Workflows workflows = DATABASE.workflows(it -> it.register(SHIP, PACK_AND_WAIT));
    for (String tenant : List.of("c", "a", "b", "a b")) {
      for (int i = 0; i < 3; i++) {
        workflows.start(SHIP, new RunId(tenant, "order-" + i), "boots");
      }
    }

    assertThat(workflows.runs().tenants("", 100)).containsExactly("a", "a b", "b", "c");
    assertThat(workflows.runs().tenants("", 2)).containsExactly("a", "a b");
    assertThat(workflows.runs().tenants("a b", 2)).containsExactly("b", "c");
    assertThat(workflows.runs().tenants("c", 2)).isEmpty();
  }

  @Test
  void purgesWhatEndedLongAgo() throws Exception {
    packedRun();
    Workflows workflows = DATABASE.running(it -> it.register(SHIP, PACK_AND_WAIT));
    workflows.start(SHIP, new RunId("acme", "open"), "boots");
    workflows.signal(RUN, GO, "1", "go");
    WorkflowDatabase.ended(workflows, RUN);

    int tooEarly = workflows.runs().purge(Duration.ofDays(30), 100);
    DATABASE.execute("UPDATE once_workflow_run SET ended_at = ended_at - interval '31 days'");
    int purged = workflows.runs().purge(Duration.ofDays(30), 100);

    assertThat(tooEarly).isZero();
    assertThat(purged).isEqualTo(1);
    assertThat(workflows.runs().find(RUN)).isEmpty();
    assertThat(DATABASE.query("SELECT DISTINCT run FROM once_workflow_entry WHERE run <> 'open'"))
        .isEmpty();
    assertThat(DATABASE.query("SELECT run FROM once_workflow_signal")).isEmpty();
  }
}
