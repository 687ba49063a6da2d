package dev.once.bench;

import dev.once.Codec;
import dev.once.Once;
import dev.once.Result;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.steps.RunId;
import dev.once.steps.Step;
import dev.once.steps.Steps;
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
  private final Steps steps;

  OnceSteps(BenchDatabase database, Once once) {
    this.database = database;
    this.store = JdbcRecordStore.over(database.pool());
    this.steps = Steps.over(once);
  }

  /** For effects outside the database: claim, run, complete. */
  Series leased(Session session, int callers) {
    return session
        .series("Once, leased steps", callers, this::runLeased)
        .counting(() -> recorded(LEASED), StepsBenchmark.STEPS)
        .noting("2 commits per step");
  }

  private void runLeased() {
    RunId run = new RunId(LEASED, Sample.newKey());
    for (int i = 0; i < StepsBenchmark.STEPS; i++) {
      String text = StepsBenchmark.textOf(i);
      requireExecuted(steps.run(run, NAMED.get(i), INPUT, execution -> text));
    }
  }

  /** Claim, the step's row and its result in one commit. */
  Series transactional(Session session, int callers) {
    return session
        .series("Once, transactional steps", callers, this::runInTransactions)
        .counting(
            () -> StepsBenchmark.requireRows(database, TRANSACTIONAL, recorded(TRANSACTIONAL)),
            StepsBenchmark.STEPS)
        .noting("1 commit per step");
  }

  private void runInTransactions() throws SQLException {
    RunId run = new RunId(TRANSACTIONAL, Sample.newKey());
    for (int i = 0; i < StepsBenchmark.STEPS; i++) {
      int step = i;
      database.inTransaction(
          connection ->
              requireExecuted(
                  steps
                      .joining(store.dedicated(connection))
                      .run(
                          run,
                          NAMED.get(step),
                          INPUT,
                          execution -> {
                            StepsBenchmark.insertRow(connection, TRANSACTIONAL, run.value(), step);
                            return StepsBenchmark.textOf(step);
                          })));
    }
  }

  private long recorded(String tenant) throws SQLException {
    return database.completed("tenant = '%s'".formatted(tenant));
  }

  private static void requireExecuted(Result<@Nullable String> result) {
    if (!(result instanceof Result.Executed)) {
      throw new IllegalStateException("a new step must be executed, got " + result);
    }
  }
}
