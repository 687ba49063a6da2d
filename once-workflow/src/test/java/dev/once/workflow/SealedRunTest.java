package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.KeyRing;
import dev.once.Sealing;
import dev.once.jobs.JobException;
import dev.once.jobs.Jobs;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SealedRunTest {
  @RegisterExtension static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-seal");

  private static final Workflow<@Nullable String, @Nullable String> PAY =
      Workflow.of("pay", 1, Codec.text(), Codec.text());
  private static final SignalType<String> GO = SignalType.of("go", Codec.text());
  private static final WorkflowStep<@Nullable String> CHARGE =
      WorkflowStep.of("charge", Codec.text());
  private static final RunId RUN = new RunId("acme", "order-1");

  @Test
  void noValueOfARunIsReadableInItsTables() {
    Sealing sealing = Sealing.with(KeyRing.of("k1", new byte[32]));
    try (Jobs jobs = Jobs.builder(DATABASE.pool()).sealing(sealing).build();
        Workflows workflows =
            Workflows.builder(jobs)
                .register(
                    PAY,
                    (context, card) -> {
                      String charged = context.step(CHARGE, e -> "secret step");
                      String signal = context.awaitSignal(GO);
                      if (signal.isEmpty()) {
                        return charged;
                      }
                      throw new JobException.GiveUp("secret failure");
                    })
                .build()) {
      workflows.start(PAY, RUN, "secret input");
      workflows.signal(RUN, GO, "1", "secret signal");
      Workers workers = workflows.addTo(Workers.over(jobs)).start();
      RunView ended = WorkflowDatabase.ended(workflows, RUN);
      workers.close();

      assertThat(ended.failure().orElseThrow()).contains("secret failure");
    }
    for (String table : new String[] {"run", "entry", "signal"}) {
      assertThat(
              DATABASE.query(
                  "SELECT encode(t::text::bytea, 'escape') FROM once_workflow_" + table + " t"))
          .isNotEmpty()
          .noneMatch(it -> it.contains("secret") || it.contains("736563726574"));
    }
  }

  @Test
  void aCheckWithoutTheKeySaysSo() {
    Sealing sealing = Sealing.with(KeyRing.of("k1", new byte[32]));
    WorkflowFunction<@Nullable String, @Nullable String> code = (context, card) -> card;
    try (Jobs jobs = Jobs.builder(DATABASE.pool()).sealing(sealing).build();
        Workflows workflows = Workflows.builder(jobs).register(PAY, code).build()) {
      workflows.start(PAY, RUN, "secret input");
    }

    Workflows keyless = DATABASE.workflows(it -> it.register(PAY, code));

    assertThat(keyless.runs().check("acme", 100))
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).startsWith("its input cannot be read: "));
  }
}
