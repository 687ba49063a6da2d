package dev.once.cli;

import dev.once.steps.RunId;
import dev.once.workflow.RunView;
import dev.once.workflow.Runs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One run. */
final class RunOption {
  @Parameters(index = "0", paramLabel = "<run>")
  private String run = "";

  @Option(names = "--tenant")
  private @Nullable String tenant;

  RunId id() {
    return new RunId(Variables.require("--tenant", tenant), run);
  }

  /** Returns the run, which must exist: a typing error must not look like success. */
  static RunView require(Runs runs, RunId id) {
    return runs.find(id)
        .orElseThrow(
            () ->
                new CommandException(
                    "tenant %s has no run %s: check both"
                        .formatted(Text.printable(id.tenant()), Text.printable(id.value()))));
  }
}
