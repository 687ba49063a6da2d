package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.steps.RunId;
import dev.once.testkit.Program;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A process is killed at a point of a run, and another one continues the run. */
class WorkflowCrashTest {
  @RegisterExtension
  static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-crash");

  private static final RunId RUN = new RunId("acme", "order-1");

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NEVER"})
  void anotherProcessContinuesAfterACrash(CrashPoint point) throws Exception {
    RunView ended = crashAndContinue(point, "fail");

    assertThat(ended.state()).isEqualTo(RunState.FAILED);
    assertThat(ended.failure().orElseThrow()).contains("planned");
    assertThat(count("charge")).as("the effect of an asking step").isOne();
    assertThat(count("reserve"))
        .as("an effect that nothing guards")
        .isEqualTo(point == CrashPoint.AFTER_EFFECT ? 2 : 1);
    assertThat(count("release"))
        .as("a compensation that nothing guards")
        .isEqualTo(point == CrashPoint.AFTER_COMPENSATION ? 2 : 1);
    assertThat(DATABASE.query("SELECT state FROM once_workflow_entry WHERE kind = 'compensation'"))
        .containsExactly("done");
  }

  @Test
  void theValueOfARunThatEndedBeforeACrashStays() throws Exception {
    RunView ended = crashAndContinue(CrashPoint.AFTER_END, "deliver");

    assertThat(ended.state()).isEqualTo(RunState.COMPLETED);
    assertThat(DATABASE.workflows(it -> it).runs().value(RUN, CrashCode.ORDER)).hasValue("cash");
    assertThat(count("release")).isZero();
  }

  private static RunView crashAndContinue(CrashPoint point, String input) throws Exception {
    Workflows workflows =
        DATABASE.workflows(it -> new CrashCode(DATABASE.pool(), reached -> {}).registered(it));
    workflows.start(CrashCode.ORDER, RUN, input);
    workflows.signal(RUN, CrashCode.PAID, "1", "cash");
    try (Program first =
        Program.start(CrashingWorker.class, (PGSimpleDataSource) DATABASE.direct(), point.name())) {
      first.awaitKilled();
    }
    DATABASE.work(workflows);
    return WorkflowDatabase.ended(workflows, RUN);
  }

  private static int count(String effect) {
    return Collections.frequency(DATABASE.effects(), effect);
  }
}
