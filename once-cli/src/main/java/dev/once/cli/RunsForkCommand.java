package dev.once.cli;

import dev.once.steps.RunId;
import dev.once.workflow.RunView;
import dev.once.workflow.Runs;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once runs fork}: starts another run with the first part of a run's history. */
@Command(name = "fork")
final class RunsForkCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final RunOption run = new RunOption();
  @Mixin private final WorkflowOptions workflows = new WorkflowOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--from", paramLabel = "<path>")
  private @Nullable Integer path;

  @Option(names = "--as", paramLabel = "<name>")
  private @Nullable String name;

  RunsForkCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    RunId id = run.id();
    if (path == null) {
      throw new Misuse("--from is missing: the path of the call at which the new run continues");
    }
    RunId fork = new RunId(id.tenant(), Variables.require("--as", name));
    try (OpenWorkflows opened = workflows.open(session)) {
      Runs runs = opened.runs();
      RunView unused = RunOption.require(runs, id);
      if (!runs.fork(id, path, fork.value())) {
        throw new CommandException(
            "there is a run %s already: choose another name"
                .formatted(Text.printable(fork.value())));
      }
      new RunPrinter(session, output).print(RunOption.require(runs, fork));
      return 0;
    }
  }
}
