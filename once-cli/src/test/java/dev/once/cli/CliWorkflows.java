package dev.once.cli;

import dev.once.Codec;
import dev.once.jobs.Jobs;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import dev.once.workflow.RunView;
import dev.once.workflow.SignalType;
import dev.once.workflow.Workflow;
import dev.once.workflow.WorkflowFunction;
import dev.once.workflow.WorkflowStep;
import dev.once.workflow.Workflows;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An application whose orders are packed and then wait for a signal; an operator looks at it. */
@SuppressWarnings("try") // Workers work until they are closed.
final class CliWorkflows implements AutoCloseable {
  static final Workflow<@Nullable String, @Nullable String> SHIP =
      Workflow.of("ship", 1, Codec.text(), Codec.text());
  static final SignalType<String> GO = SignalType.of("go", Codec.text());

  private static final WorkflowStep<@Nullable String> PACK = WorkflowStep.of("pack", Codec.text());
  private static final WorkflowFunction<@Nullable String, @Nullable String> CODE =
      (context, order) -> {
        String packed = context.step(PACK, it -> "box of " + order);
        String go = context.awaitSignal(GO);
        if (go.equals("fail")) {
          throw new IllegalArgumentException("no way to ship a " + packed);
        }
        return packed;
      };

  private final Jobs jobs;
  private final Workflows workflows;

  CliWorkflows(CliDatabase database) {
    this.jobs = Jobs.over(database.dataSource());
    this.workflows = Workflows.builder(jobs).register(SHIP, CODE).build();
  }

  Workflows workflows() {
    return workflows;
  }

  static RunId run(String name) {
    return new RunId("acme", name);
  }

  /** Starts runs that are packed and wait. */
  void pack(RunId... runs) {
    for (RunId it : runs) {
      workflows.start(SHIP, it, it.value());
    }
    try (Workers unused = work()) {
      for (RunId it : runs) {
        awaitThat(() -> workflows.runs().history(it).size() == 2);
      }
    }
  }

  Workers work() {
    return workflows
        .addTo(Workers.over(jobs))
        .pollInterval(Duration.ofMillis(50))
        .drain(Duration.ofSeconds(10))
        .start();
  }

  /** Lets workers continue a run until something holds. */
  RunView workUntil(RunId run, Predicate<RunView> wanted) {
    try (Workers unused = work()) {
      awaitThat(() -> wanted.test(workflows.runs().find(run).orElseThrow()));
    }
    return workflows.runs().find(run).orElseThrow();
  }

  private interface Condition {
    boolean holds();
  }

  private static void awaitThat(Condition condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("the run does not continue");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  @Override
  public void close() {
    workflows.close();
    jobs.close();
  }
}
