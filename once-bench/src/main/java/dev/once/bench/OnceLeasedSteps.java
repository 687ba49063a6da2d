package dev.once.bench;

import dev.once.Codec;
import dev.once.Once;
import dev.once.Result;
import dev.once.steps.RunId;
import dev.once.steps.Step;
import dev.once.steps.Steps;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Once's steps for effects outside the database: claim, run, complete. */
final class OnceLeasedSteps implements StepContestant {
  /** The input of each step: an order of a typical service. */
  static final String INPUT = "{\"order\":\"o-4711\",\"amount\":\"12.50\",\"currency\":\"EUR\"}";

  private static final String TENANT = "leased";
  private static final List<Step<@Nullable String>> NAMED = named(STEPS);

  private final BenchDatabase database;
  private final Steps steps;

  OnceLeasedSteps(BenchDatabase database, Once once) {
    this.database = database;
    this.steps = Steps.over(once);
  }

  @Override
  public String name() {
    return "Once, leased steps";
  }

  @Override
  public int commits() {
    return 2 * STEPS;
  }

  @Override
  public void run() {
    RunId run = new RunId(TENANT, Sample.newKey());
    for (int i = 0; i < STEPS; i++) {
      String text = StepContestant.textOf(i);
      requireExecuted(steps.run(run, NAMED.get(i), INPUT, execution -> text));
    }
  }

  @Override
  public long steps() throws SQLException {
    return stepsOf(database, TENANT);
  }

  /** Returns the steps of a workflow, in order. */
  static List<Step<@Nullable String>> named(int count) {
    List<Step<@Nullable String>> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(Step.of("step-" + i, Codec.text()));
    }
    return steps;
  }

  static void requireExecuted(Result<@Nullable String> result) {
    if (!(result instanceof Result.Executed)) {
      throw new IllegalStateException("a new step must be executed, got " + result);
    }
  }

  /** Returns the number of completed steps of a tenant. */
  static long stepsOf(BenchDatabase database, String tenant) throws SQLException {
    return database.number(
        "SELECT count(*) FROM once_record WHERE tenant = '%s' AND state = 'completed'"
            .formatted(tenant));
  }
}
