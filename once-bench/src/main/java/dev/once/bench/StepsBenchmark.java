package dev.once.bench;

import dev.once.Once;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import java.util.List;

/**
 * Workflows whose steps are remembered, beside DBOS Transact: how fast steps are run, how fast a
 * workflow is back where it crashed, and what it gets there.
 */
final class StepsBenchmark implements Benchmark {
  private final EmbeddedPostgres server;

  StepsBenchmark(EmbeddedPostgres server) {
    this.server = server;
  }

  @Override
  public Report run(Settings settings, Progress progress) throws Exception {
    try (BenchDatabase database =
            BenchDatabase.withSchema(server.newDatabase("steps"), settings.connections());
        Once once = Once.over(JdbcRecordStore.over(database.pool()))) {
      new StepRows(database).create();
      Table speed = speed(database, once, settings, progress);
      try (ResumedSteps dbos = new ResumedDbos(database);
          ResumedSteps own = new ResumedOnce(database, once)) {
        StepResume resume = new StepResume(List.of(own, dbos), settings, progress);
        return new Report(settings.describe(), List.of(speed, resume.speed(), resume.change()));
      }
    }
  }

  private static Table speed(
      BenchDatabase database, Once once, Settings settings, Progress progress) throws Exception {
    try (Dbos dbos = Dbos.launch(database, Life.second(0, ""))) {
      return new StepSpeed(
              database,
              List.of(
                  new StepSpeed.Pair(
                      "returns a text",
                      new OnceLeasedSteps(database, once),
                      new DbosTextSteps(database, dbos)),
                  new StepSpeed.Pair(
                      "writes a row, in one transaction with its result",
                      new OnceTransactionalSteps(database, once),
                      new DbosTransactionalSteps(database, dbos))))
          .run(settings, progress);
    }
  }
}
