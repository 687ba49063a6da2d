package dev.once.cli;

import dev.once.steps.RunId;
import dev.once.workflow.RunView;
import dev.once.workflow.Runs;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./once runs show}: prints a run, its history, and why it does not go on now. */
@Command(name = "show")
final class RunsShowCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final RunOption run = new RunOption();
  @Mixin private final WorkflowOptions workflows = new WorkflowOptions();
  @Mixin private final OutputOption output = new OutputOption();

  RunsShowCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    RunId id = run.id();
    try (OpenWorkflows opened = workflows.open(session)) {
      Runs runs = opened.runs();
      RunView found = RunOption.require(runs, id);
      new RunPrinter(session, output).print(found);
      runs.history(id)
          .forEach(
              it -> output.print(session, () -> RunPrinter.text(it), () -> RunPrinter.json(it)));
      if (!found.state().hasEnded()) {
        runs.waits(id)
            .forEach(
                it -> output.print(session, () -> RunPrinter.text(it), () -> RunPrinter.json(it)));
      }
      return 0;
    }
  }
}
