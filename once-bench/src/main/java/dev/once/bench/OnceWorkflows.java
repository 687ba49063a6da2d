package dev.once.bench;

import dev.once.Codec;
import dev.once.jobs.JobEvent;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import dev.once.workflow.Workflow;
import dev.once.workflow.WorkflowContext;
import dev.once.workflow.WorkflowStep;
import dev.once.workflow.Workflows;
import dev.once.workflow.WorkflowsSchema;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Once's durable workflows, from their start to the end of their job. */
final class OnceWorkflows implements AutoCloseable {
  private static final Workflow<@Nullable String, @Nullable String> TEXTS =
      Workflow.of("texts", 1, Codec.text(), Codec.text());
  private static final Workflow<@Nullable String, @Nullable String> ROWS =
      Workflow.of("rows", 1, Codec.text(), Codec.text());
  private static final WorkflowStep<@Nullable String> TEXT = WorkflowStep.of("text", Codec.text());
  private static final WorkflowStep<@Nullable String> ROW = WorkflowStep.of("row", Codec.text());
  private static final String OWNER = "workflow";
  private static final int SLOTS = 64;
  private static final long PATIENCE_SECONDS = 60;

  private final BenchDatabase database;
  private final Jobs jobs;
  private final Workflows workflows;
  private final Workers workers;
  private final Map<String, CountDownLatch> running = new ConcurrentHashMap<>();

  OnceWorkflows(BenchDatabase database) {
    this.database = database;
    JobsSchema.apply(database.pool());
    WorkflowsSchema.apply(database.pool());
    this.jobs = Jobs.builder(database.pool()).listener(this::on).build();
    this.workflows =
        Workflows.builder(jobs)
            .register(TEXTS, (context, steps) -> texts(context, steps))
            .register(ROWS, (context, steps) -> rows(context, steps))
            .build();
    this.workers =
        workflows
            .addTo(Workers.over(jobs))
            .queue(Queue.named("workflows").withSlots(SLOTS))
            .start();
  }

  /** Steps with effects outside the database. */
  Contestant<StepsBenchmark.Workflow> leased() {
    return new Contestant<>(
        "Once, workflow",
        "1 commit per step, 4 per workflow",
        new StepsBenchmark.Workflow(it -> run(TEXTS, it), () -> recorded("text")));
  }

  /** Each step commits its row together with its entry. */
  Contestant<StepsBenchmark.Workflow> transactional() {
    return new Contestant<>(
        "Once, workflow of transactions",
        "1 commit per step, 4 per workflow",
        new StepsBenchmark.Workflow(
            it -> run(ROWS, it),
            () -> StepsBenchmark.requireRows(database, OWNER, recorded("row"))));
  }

  private void run(Workflow<@Nullable String, @Nullable String> workflow, int steps)
      throws InterruptedException {
    RunId run = new RunId("acme", Sample.newKey());
    CountDownLatch ended = new CountDownLatch(1);
    running.put(run.value(), ended);
    workflows.start(workflow, run, String.valueOf(steps));
    if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("run " + run.value() + " has not ended");
    }
  }

  private void on(JobEvent event) {
    if (event instanceof JobEvent.Completed it) {
      String resource = it.key().resource();
      CountDownLatch ended = running.remove(resource.substring(0, resource.indexOf('#')));
      if (ended != null) {
        ended.countDown();
      }
    }
  }

  private static @Nullable String texts(WorkflowContext context, @Nullable String steps) {
    String last = "";
    for (int i = 0; i < Integer.parseInt(String.valueOf(steps)); i++) {
      String text = StepsBenchmark.textOf(i);
      last = String.valueOf(context.step(TEXT, execution -> text));
    }
    return last;
  }

  private static @Nullable String rows(WorkflowContext context, @Nullable String steps) {
    String last = "";
    for (int i = 0; i < Integer.parseInt(String.valueOf(steps)); i++) {
      int step = i;
      last =
          String.valueOf(
              context.transaction(
                  ROW,
                  (connection, execution) -> {
                    StepsBenchmark.insertRow(connection, OWNER, context.run().value(), step);
                    return StepsBenchmark.textOf(step);
                  }));
    }
    return last;
  }

  private long recorded(String step) {
    return database.number(
        "SELECT count(*) FROM once_workflow_entry WHERE state = 'done' AND name = ?", step);
  }

  @Override
  public void close() {
    workers.close();
    workflows.close();
    jobs.close();
  }
}
