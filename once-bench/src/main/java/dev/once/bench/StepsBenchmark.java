package dev.once.bench;

import dev.once.Once;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Workflows with recorded steps, compared with DBOS Transact: how fast steps run, how fast a
 * workflow is back where it crashed, and which results it gets there.
 */
final class StepsBenchmark implements Benchmark {
  private final EmbeddedPostgres server;

  StepsBenchmark(EmbeddedPostgres server) {
    this.server = server;
  }

  @Override
  public Report run(Settings settings, Progress progress) throws Exception {
    PGSimpleDataSource source = server.newDatabase("steps");
    try (BenchDatabase database = BenchDatabase.withSchema(source, settings.connections());
        Once once = Once.over(JdbcRecordStore.over(database.pool()))) {
      new StepRows(database).create();
      Table speed;
      try (BenchDatabase rivals = rivals(source, settings, 1)) {
        speed = speed(database, rivals, once, settings, progress);
      }
      try (BenchDatabase rivals = rivals(source, settings, 2);
          ResumedSteps dbos = new ResumedDbos(rivals);
          ResumedSteps own = new ResumedOnce(database, once)) {
        StepResume resume = new StepResume(List.of(own, dbos), settings, progress);
        return new Report(settings.describe(), List.of(speed, resume.speed(), resume.change()));
      }
    }
  }

  /** Creates a pool for DBOS with as many connections for its work as the others have. */
  private static BenchDatabase rivals(DataSource source, Settings settings, int listeners) {
    return new BenchDatabase(source, settings.connections() + listeners);
  }

  private static Table speed(
      BenchDatabase database, BenchDatabase rivals, Once once, Settings settings, Progress progress)
      throws Exception {
    try (Dbos dbos = Dbos.launch(rivals, Life.NONE)) {
      return new StepSpeed(
              database,
              List.of(
                  new StepSpeed.Pair(
                      "returns a text",
                      new OnceLeasedSteps(database, once),
                      new DbosTextSteps(rivals, dbos)),
                  new StepSpeed.Pair(
                      "writes a row, in one transaction with its result",
                      new OnceTransactionalSteps(database, once),
                      new DbosTransactionalSteps(rivals, dbos))))
          .run(settings, progress);
    }
  }
}
