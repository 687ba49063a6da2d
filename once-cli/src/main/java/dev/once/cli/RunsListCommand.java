package dev.once.cli;

import dev.once.workflow.RunState;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once runs list}: prints runs by their tenants, states and names. */
@Command(name = "list")
final class RunsListCommand implements Callable<Integer> {
  private static final int DEFAULT_LIMIT = 1000;

  private final Session session;

  @Mixin private final WorkflowOptions workflows = new WorkflowOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--tenant")
  private @Nullable String tenant;

  @Option(names = "--state", split = ",")
  private List<RunState> states = List.of(RunState.values());

  @Option(names = "--limit")
  private int limit = DEFAULT_LIMIT;

  RunsListCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (limit < 1) {
      throw new Misuse("--limit must be 1 or more");
    }
    RunPrinter printer = new RunPrinter(session, output);
    AtomicInteger count = new AtomicInteger();
    try (OpenWorkflows opened = workflows.open(session)) {
      new RunPages(opened.runs(), tenant)
          .read(
              states,
              it -> {
                if (count.incrementAndGet() > limit) {
                  session.note("there are more: raise --limit");
                  return false;
                }
                printer.print(it);
                return true;
              });
      return 0;
    }
  }
}
