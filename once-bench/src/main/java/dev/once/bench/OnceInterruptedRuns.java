package dev.once.bench;

import dev.once.Codec;
import dev.once.jobs.Jobs;
import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import dev.once.workflow.Workflow;
import dev.once.workflow.WorkflowContext;
import dev.once.workflow.WorkflowStep;
import dev.once.workflow.Workflows;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Runs of Once's durable workflows. */
final class OnceInterruptedRuns implements ResumeBenchmark.InterruptedRuns {
  private static final Workflow<@Nullable String, @Nullable String> LONG =
      Workflow.of("long", 1, Codec.text(), Codec.text());
  private static final WorkflowStep<@Nullable String> STEP = WorkflowStep.of("work", Codec.text());
  private static final int SLOTS = 64;

  private final BenchDatabase database;
  private final AtomicLong effects = new AtomicLong();
  private volatile boolean isInterrupted;

  /**
   * @param database has the tables of jobs and workflows
   */
  OnceInterruptedRuns(BenchDatabase database) {
    this.database = database;
  }

  @Override
  @SuppressWarnings("try") // Workers work until they are closed.
  public void leave(int count) throws Exception {
    isInterrupted = true;
    List<RunId> runs = new ArrayList<>();
    try (RunningCode process = new RunningCode(() -> {})) {
      for (int i = 0; i < count; i++) {
        runs.add(new RunId("resume", Sample.newKey()));
        process.workflows.start(LONG, runs.get(i), "");
      }
      ResumeBenchmark.awaitEnd(this);
    }
    isInterrupted = false;
    try (Jobs jobs = Jobs.over(database.pool());
        Workflows workflows = Workflows.builder(jobs).build()) {
      runs.forEach(workflows.runs()::resume);
    }
  }

  @Override
  public Closeable resume(Runnable called) {
    return new RunningCode(called);
  }

  @Override
  public long unfinished() {
    return database.number("SELECT count(*) FROM once_workflow_run WHERE ended_at IS NULL");
  }

  @Override
  public long effects() {
    return effects.get();
  }

  /** The workers of a process. */
  private final class RunningCode implements Closeable {
    private final Jobs jobs;
    private final Workflows workflows;
    private final Workers workers;

    RunningCode(Runnable called) {
      this.jobs = Jobs.over(database.pool());
      this.workflows =
          Workflows.builder(jobs).register(LONG, (context, input) -> work(context, called)).build();
      this.workers =
          workflows
              .addTo(Workers.over(jobs))
              .queue(Queue.named("workflows").withSlots(SLOTS))
              .start();
    }

    @Override
    public void close() {
      workers.close();
      workflows.close();
      jobs.close();
    }
  }

  private @Nullable String work(WorkflowContext context, Runnable called) {
    called.run();
    for (int i = 0; i < ResumeBenchmark.STEPS; i++) {
      String text = StepsBenchmark.textOf(i);
      context.step(
          STEP,
          execution -> {
            effects.incrementAndGet();
            return text;
          });
    }
    if (isInterrupted) {
      throw new IllegalStateException("interrupted");
    }
    return "done";
  }
}
