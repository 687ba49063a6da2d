package dev.once.cli;

import dev.once.workflow.RunProblem;
import dev.once.workflow.RunState;
import dev.once.workflow.RunView;
import dev.once.workflow.Runs;
import dev.once.workflow.WorkflowRegistrar;
import java.io.IOException;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once runs check}: lists the open runs that an application's code cannot continue. */
@Command(name = "check")
final class RunsCheckCommand implements Callable<Integer> {
  private static final List<RunState> OPEN = List.of(RunState.RUNNING, RunState.COMPENSATING);

  private final Session session;

  @Mixin private final RegistrarOptions registrars = new RegistrarOptions();
  @Mixin private final WorkflowOptions workflows = new WorkflowOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--tenant")
  private @Nullable String tenant;

  private long checked;
  private long problems;

  RunsCheckCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = registrars.loader()) {
      thread.setContextClassLoader(loader); // As a server does, for the libraries of the code.
      check(registrars.registrar(loader));
    } catch (LinkageError e) {
      throw new CommandException(
          "the code of the workflows cannot be loaded: %s (are all its jars in --jars?)"
              .formatted(e),
          e);
    } finally {
      thread.setContextClassLoader(before);
    }
    return problems == 0 ? 0 : Cli.FAILED;
  }

  private void check(WorkflowRegistrar registrar) throws InterruptedException {
    try (OpenWorkflows opened = workflows.open(session, registrar);
        ProgressLine progress = new ProgressLine(session)) {
      Runs runs = opened.runs();
      new RunPages(runs, tenant)
          .read(
              OPEN,
              it -> {
                check(runs, it);
                progress.set(
                    "runs=%d problems=%d tenant=%s"
                        .formatted(checked, problems, Text.printable(it.run().tenant())));
                return true;
              });
    }
    output.print(
        session,
        () -> "runs=%d problems=%d".formatted(checked, problems),
        () -> new JsonLine().put("runs", checked).put("problems", problems));
  }

  private void check(Runs runs, RunView run) {
    Optional<RunProblem> problem = runs.check(run);
    checked++;
    if (problem.isPresent()) {
      problems++;
      print(run, problem.get().reason());
    }
  }

  private void print(RunView run, String reason) {
    output.print(
        session,
        () ->
            "%s/%s workflow=%s version=%d: %s"
                .formatted(
                    Text.printable(run.run().tenant()),
                    Text.printable(run.run().value()),
                    run.workflow(),
                    run.version(),
                    Text.printable(reason)),
        () ->
            new JsonLine()
                .put("tenant", run.run().tenant())
                .put("run", run.run().value())
                .put("workflow", run.workflow())
                .put("version", run.version())
                .put("reason", reason));
  }
}
