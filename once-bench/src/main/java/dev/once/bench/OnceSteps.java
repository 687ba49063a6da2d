package dev.once.bench;

import dev.once.Codec;
import dev.once.Once;
import dev.once.Result;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.steps.RunId;
import dev.once.steps.Step;
import dev.once.steps.Steps;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Once's steps, leased and in the caller's transaction. */
final class OnceSteps {
  /** The input of each step: an order of a typical service. */
  private static final String INPUT =
      "{\"order\":\"o-4711\",\"amount\":\"12.50\",\"currency\":\"EUR\"}";

  private static final String LEASED = "leased";
  private static final String TRANSACTIONAL = "transactional";
  private static final List<Step<@Nullable String>> NAMED =
      IntStream.range(0, StepsBenchmark.STEPS)
          .<Step<@Nullable String>>mapToObj(i -> Step.of("step-" + i, Codec.text()))
          .toList();

  private final BenchDatabase database;
  private final JdbcRecordStore store;
  private final Steps runner;

  OnceSteps(BenchDatabase database, Once once) {
    this.database = database;
    this.store = JdbcRecordStore.over(database.pool());
    this.runner = Steps.over(once);
  }

  /** For effects outside the database: claim, run, complete. */
  Contestant<StepsBenchmark.Workflow> leased() {
    return new Contestant<>(
        "Once, leased steps",
        "2 commits per step",
        new StepsBenchmark.Workflow(this::runLeased, () -> recorded(LEASED)));
  }

  private void runLeased(int steps) {
    RunId run = new RunId(LEASED, Sample.newKey());
    for (int i = 0; i < steps; i++) {
      String text = StepsBenchmark.textOf(i);
      requireExecuted(runner.run(run, NAMED.get(i), INPUT, execution -> text));
    }
  }

  /** Claim, the step's row and its result in one commit. */
  Contestant<StepsBenchmark.Workflow> transactional() {
    return new Contestant<>(
        "Once, transactional steps",
        "1 commit per step",
        new StepsBenchmark.Workflow(
            this::runInTransactions,
            () -> StepsBenchmark.requireRows(database, TRANSACTIONAL, recorded(TRANSACTIONAL))));
  }

  private void runInTransactions(int steps) throws SQLException {
    RunId run = new RunId(TRANSACTIONAL, Sample.newKey());
    for (int i = 0; i < steps; i++) {
      int step = i;
      database.inTransaction(connection -> requireExecuted(runWithRow(connection, run, step)));
    }
  }

  private Result<@Nullable String> runWithRow(Connection connection, RunId run, int step)
      throws SQLException {
    return runner
        .joining(store.dedicated(connection))
        .run(
            run,
            NAMED.get(step),
            INPUT,
            execution -> {
              StepsBenchmark.insertRow(connection, TRANSACTIONAL, run.value(), step);
              return StepsBenchmark.textOf(step);
            });
  }

  private long recorded(String tenant) {
    return database.completed("tenant = '%s'".formatted(tenant));
  }

  private static void requireExecuted(Result<@Nullable String> result) {
    if (!(result instanceof Result.Executed)) {
      throw new IllegalStateException("a new step must be executed, got " + result);
    }
  }
}
