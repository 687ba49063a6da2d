package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Measures Once's jobs beside many finished ones, and while another transaction stays open. */
final class JobScaleBenchmark implements Benchmark {
  /** How many backlogs are worked off while the transaction is open. */
  private static final int HELD_BACKLOGS = 5;

  private static final double MEBIBYTE = 1 << 20;

  private final EmbeddedPostgres server;

  JobScaleBenchmark(EmbeddedPostgres server) {
    this.server = server;
  }

  @Override
  public Report run(Settings settings, Progress progress) throws Exception {
    BenchDatabase database =
        new BenchDatabase(server.newDatabase("job_scale"), settings.connections());
    try (database) {
      OnceJobQueue.createTables(database);
      JobStretch stretch = new JobStretch(database, settings);
      try (stretch) {
        return new Report(
            "%s Backlogs of %,d jobs that write a row each, up to 100 in a transaction, %d threads."
                .formatted(settings.describe(), settings.jobs(), settings.connections()),
            List.of(besideFinished(stretch, settings, progress), whileHeld(stretch, progress)));
      }
    }
  }

  private static Table besideFinished(JobStretch stretch, Settings settings, Progress progress)
      throws SQLException, InterruptedException {
    Table table =
        new Table(
                "Beside finished jobs",
                "finished",
                "jobs/s",
                "of that without",
                "keys forgotten",
                "in ms",
                "MiB before",
                "MiB after")
            .charted("jobs/s", "finished");
    FinishedKeys finished = new FinishedKeys(stretch.database());
    progress.say("jobs-scale: without finished jobs");
    stretch.workOff(); // Warms up.
    double without = stretch.medianOf(settings.rounds());
    table.row("as many as were run", without, 1.0, "", "", "", "");

    finished.fill(settings.rows(), progress);
    progress.say("jobs-scale: beside %,d finished jobs".formatted(settings.rows()));
    double beside = stretch.medianOf(settings.rounds());
    table.row("%,d".formatted(settings.rows()), beside, beside / without, "", "", "", "");

    progress.say("jobs-scale: while half of them are forgotten");
    double before = finished.bytes() / MEBIBYTE;
    FinishedKeys.Purge purge = finished.purgeLater();
    double during = stretch.workOff();
    table.row(
        "%,d, half of them too old".formatted(settings.rows()),
        during,
        during / without,
        "%,d".formatted(purge.keys()),
        purge.millis(),
        before,
        finished.bytes() / MEBIBYTE);
    return table;
  }

  private static Table whileHeld(JobStretch stretch, Progress progress)
      throws SQLException, InterruptedException {
    Table table =
        new Table(
            "While a transaction stays open",
            "backlog",
            "jobs/s",
            "of that before",
            "row versions that cannot be removed",
            "MiB of once_job",
            "lost",
            "done twice");
    double before = stretch.workOff();
    addRow(table, "before", before, before, stretch);
    try (Connection held = stretch.database().pool().getConnection();
        Statement statement = held.createStatement()) {
      held.setAutoCommit(false);
      held.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("SELECT count(*) FROM once_job");
      for (int i = 1; i <= HELD_BACKLOGS; i++) {
        progress.say("jobs-scale: backlog %d while a transaction is open".formatted(i));
        addRow(table, i + " while it is open", stretch.workOff(), before, stretch);
      }
      held.rollback();
    }
    stretch.database().settle();
    addRow(table, "after its end and a vacuum", stretch.workOff(), before, stretch);
    return table;
  }

  private static void addRow(
      Table table, String backlog, double speed, double before, JobStretch stretch)
      throws SQLException {
    table.row(
        backlog,
        speed,
        speed / before,
        "%,d".formatted(stretch.deadRows()),
        stretch.database().number("SELECT pg_total_relation_size('once_job')") / MEBIBYTE,
        stretch.lost(),
        stretch.doubled());
  }
}
