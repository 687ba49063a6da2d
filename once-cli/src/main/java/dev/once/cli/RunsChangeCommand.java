package dev.once.cli;

import dev.once.steps.RunId;
import dev.once.workflow.RunView;
import dev.once.workflow.Runs;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./once runs cancel} and {@code resume}: change a run. */
@Command
final class RunsChangeCommand implements Callable<Integer> {
  private final Session session;
  private final Change change;
  private final String refusal;

  @Mixin private final RunOption run = new RunOption();
  @Mixin private final WorkflowOptions workflows = new WorkflowOptions();
  @Mixin private final OutputOption output = new OutputOption();

  /** What happens to a run, and whether that was possible. */
  interface Change {
    boolean apply(Runs runs, RunId run);
  }

  private RunsChangeCommand(Session session, Change change, String refusal) {
    this.session = session;
    this.change = change;
    this.refusal = refusal;
  }

  /**
   * @param refusal why a run was not changed, after its state
   */
  static CommandLine named(String name, Session session, Change change, String refusal) {
    return new CommandLine(new RunsChangeCommand(session, change, refusal)).setCommandName(name);
  }

  @Override
  public Integer call() {
    RunId id = run.id();
    try (OpenWorkflows opened = workflows.open(session)) {
      Runs runs = opened.runs();
      RunView before = RunOption.require(runs, id);
      if (!change.apply(runs, id)) {
        throw new CommandException(
            "run %s is %s: %s"
                .formatted(Text.printable(id.value()), RunPrinter.state(before), refusal));
      }
      new RunPrinter(session, output).print(RunOption.require(runs, id));
      return 0;
    }
  }
}
