package dev.once.bench;

import dev.once.Codec;
import dev.once.Once;
import dev.once.Result;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.steps.RunHistory;
import dev.once.steps.RunId;
import dev.once.steps.Step;
import dev.once.steps.Steps;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Once's steps: a process that runs a workflow again, on any machine, continues where it ended. */
final class ResumedOnce implements ResumedSteps {
  private static final String TENANT = "resumed";
  private static final Step<@Nullable String> LAST = Step.of("last", Codec.text());
  private static final List<Step<@Nullable String>> NAMED =
      OnceLeasedSteps.named(Life.STEPS_BEFORE);

  private final RunHistory history;
  private final Steps steps;
  private final Map<String, String> firstTexts = new ConcurrentHashMap<>();

  ResumedOnce(BenchDatabase database, Once once) {
    this.history = RunHistory.over(JdbcRecordStore.over(database.pool()));
    this.steps = Steps.over(once);
  }

  @Override
  public String name() {
    return "Once, leased steps";
  }

  @Override
  public void leave(List<String> workflows, Life first) throws Exception {
    runAll(workflows, first);
  }

  @Override
  public void resume(List<String> workflows, Life second) throws Exception {
    runAll(workflows, second);
  }

  @Override
  public String firstTextOf(String workflow) {
    return Objects.requireNonNull(firstTexts.get(workflow));
  }

  @Override
  public int stepsOf(String workflow) {
    return history.steps(new RunId(TENANT, workflow)).size();
  }

  private void runAll(List<String> workflows, Life life) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(workflows.size());
    try {
      List<Future<?>> running =
          workflows.stream().<Future<?>>map(it -> threads.submit(() -> run(it, life))).toList();
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void run(String workflow, Life life) {
    life.begin();
    RunId run = new RunId(TENANT, workflow);
    String first = valueOf(steps.run(run, NAMED.get(0), inputOf(life), it -> life.text()));
    firstTexts.put(workflow, first);
    for (int i = 1; i < Life.STEPS_BEFORE; i++) {
      String text = StepContestant.textOf(i);
      valueOf(steps.run(run, NAMED.get(i), OnceLeasedSteps.INPUT, it -> text));
    }
    if (!life.ends()) {
      steps.run(run, LAST, OnceLeasedSteps.INPUT, it -> there(life, first));
    }
  }

  private static String there(Life life, String text) {
    life.there();
    return text;
  }

  private static String inputOf(Life life) {
    return "{\"value\":\"" + life.input() + "\"}";
  }

  private static String valueOf(Result<@Nullable String> result) {
    return Objects.requireNonNull(result.orThrow());
  }

  /** Does nothing: the caller closes the engine. */
  @Override
  public void close() {}
}
