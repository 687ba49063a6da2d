package dev.once.bench;

import dev.once.Once;
import dev.once.Result;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.steps.RunId;
import dev.once.steps.Step;
import dev.once.steps.Steps;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Once's steps in the caller's transaction: claim, the step's row and its result in one commit. */
final class OnceTransactionalSteps implements StepContestant {
  private static final String TENANT = "transactional";
  private static final List<Step<@Nullable String>> NAMED = OnceLeasedSteps.named(STEPS);

  private final BenchDatabase database;
  private final JdbcRecordStore store;
  private final Steps steps;

  OnceTransactionalSteps(BenchDatabase database, Once once) {
    this.database = database;
    this.store = JdbcRecordStore.over(database.pool());
    this.steps = Steps.over(once);
  }

  @Override
  public String name() {
    return "Once, transactional steps";
  }

  @Override
  public int commits() {
    return STEPS;
  }

  @Override
  public void run() throws SQLException {
    RunId run = new RunId(TENANT, Sample.newKey());
    for (int i = 0; i < STEPS; i++) {
      step(run, i);
    }
  }

  private void step(RunId run, int step) throws SQLException {
    try (Connection connection = database.pool().getConnection()) {
      connection.setAutoCommit(false); // The pool resets it.
      Result<@Nullable String> result =
          steps
              .joining(store.dedicated(connection))
              .run(
                  run,
                  NAMED.get(step),
                  OnceLeasedSteps.INPUT,
                  execution -> {
                    StepRows.insert(connection, TENANT, run.value(), step);
                    return StepContestant.textOf(step);
                  });
      connection.commit();
      OnceLeasedSteps.requireExecuted(result);
    }
  }

  /** Checks that rows and records agree: one without the other would break a promise. */
  @Override
  public long steps() throws SQLException {
    long records = OnceLeasedSteps.stepsOf(database, TENANT);
    long rows = new StepRows(database).of(TENANT);
    if (rows != records) {
      throw new IllegalStateException("%d rows for %d steps".formatted(rows, records));
    }
    return records;
  }
}
