package dev.once.bench;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Measures Once's jobs beside many finished ones, and while another transaction stays open.
 * Backlogs are worked off one after the other, without clean-up in between.
 */
final class JobsScaleBenchmark {
  /** How many backlogs are worked off while the transaction is open. */
  private static final int HELD_BACKLOGS = 5;

  private static final long FILLED_AT_ONCE = 500_000;
  private static final String KEPT = "interval '24 hours'";
  private static final double MEBIBYTE = 1 << 20;

  private final Session session;
  private final BenchDatabase database;
  private final OnceJobQueue queue;
  private final JobRows rows;
  private final JobBacklog backlog;
  private long enqueued;

  private JobsScaleBenchmark(Session session, BenchDatabase database, OnceJobQueue queue) {
    this.session = session;
    this.database = database;
    this.queue = queue;
    this.rows = new JobRows(database);
    this.backlog = new JobBacklog(database, rows, session.settings().jobs());
  }

  static Report run(Session session) throws Exception {
    Settings settings = session.settings();
    try (BenchDatabase database = session.database("job_scale")) {
      OnceJobQueue.createTables(database);
      try (OnceJobQueue queue =
          new OnceJobQueue(database, settings.connections(), OnceJobQueue.Mode.TOGETHER)) {
        JobsScaleBenchmark benchmark = new JobsScaleBenchmark(session, database, queue);
        benchmark.rows.createTable();
        return new Report(
            "%s Backlogs of %,d jobs that write a row each, up to 100 in a transaction, %d threads."
                .formatted(session.describe(), settings.jobs(), settings.connections()),
            List.of(benchmark.besideFinished(), benchmark.whileHeld()));
      }
    }
  }

  private Round workOff() throws Exception {
    enqueued += backlog.jobs();
    return JobBacklog.workOff(queue, backlog.enqueue(queue), rows);
  }

  private double speed(String name, int warmUps) throws Exception {
    Series series = new Series(name, this::workOff);
    session.comparison("jobs-scale, " + name, warmUps).run(List.of(series), () -> {});
    return series.callsPerSecond();
  }

  private Table besideFinished() throws Exception {
    Table table =
        new Table(
                "Beside finished jobs",
                "finished | jobs/s | of that without | keys forgotten | in ms | MiB before"
                    + " | MiB after")
            .charted("jobs/s", "finished");
    long count = session.settings().rows();
    double before = speed("without finished jobs", 1);
    fill(count);
    double with = speed("beside %,d finished jobs".formatted(count), 0);
    table.row("as many as were run", before, 1.0, "", "", "", "");
    table.row("%,d".formatted(count), with, with / before, "", "", "", "");
    session.say("jobs-scale: while half of them are forgotten");
    double mebibytes = mebibytesOfFinished();
    CompletableFuture<long[]> purge =
        CompletableFuture.supplyAsync(
            this::purge, CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS));
    double during = workOff().callsPerSecond();
    long[] keysAndMillis = purge.join();
    table.row(
        "%,d, half of them too old".formatted(count),
        during,
        during / before,
        keysAndMillis[0],
        keysAndMillis[1],
        mebibytes,
        mebibytesOfFinished());
    return table;
  }

  /** Inserts the keys of finished jobs: half of them are past their retention. */
  private void fill(long count) {
    for (long from = 0; from < count; from += FILLED_AT_ONCE) {
      session.say("jobs-scale: %,d of %,d finished jobs".formatted(from, count));
      database.execute(
          """
          INSERT INTO once_job_done (
            part, tenant, queue, key, fingerprint, job, attempt, discarded, correlation,
            finished_at)
          SELECT (once_job_part(%1$s) + i %% 2) %% 4, '%2$s', 'bench', 'count:' || md5(i::text),
            'sha256:' || md5(i::text), -i, 1, false, '',
            clock_timestamp() - (i %% 2) * interval '36 hours'
          FROM generate_series(%3$d, %4$d) i
          """
              .formatted(KEPT, Sample.TENANT, from + 1, Math.min(count, from + FILLED_AT_ONCE)));
    }
    database.settle();
  }

  private double mebibytesOfFinished() throws SQLException {
    return database.number(
            """
            SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits
            WHERE inhparent = 'once_job_done'::regclass
            """)
        / MEBIBYTE;
  }

  /** Returns how many keys were purged, and how many milliseconds that took. */
  private long[] purge() {
    long started = System.nanoTime();
    try {
      long keys = database.number("SELECT once_job_purge(" + KEPT + ")");
      return new long[] {keys, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started)};
    } catch (SQLException e) {
      throw new IllegalStateException("the purge failed", e);
    }
  }

  private Table whileHeld() throws Exception {
    Table table =
        new Table(
            "While a transaction stays open",
            "backlog | jobs/s | of that before | row versions that cannot be removed"
                + " | MiB of once_job | lost | done twice");
    double before = workOff().callsPerSecond();
    addRow(table, "before", before, before);
    try (var held = database.pool().getConnection();
        var statement = held.createStatement()) {
      held.setAutoCommit(false);
      statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      statement.execute("SELECT count(*) FROM once_job");
      for (int i = 1; i <= HELD_BACKLOGS; i++) {
        session.say("jobs-scale: backlog %d while a transaction is open".formatted(i));
        addRow(table, i + " while it is open", workOff().callsPerSecond(), before);
      }
    } // The pool rolls it back.
    database.settle();
    addRow(table, "after its end and a vacuum", workOff().callsPerSecond(), before);
    return table;
  }

  private void addRow(Table table, String name, double speed, double before) throws SQLException {
    database.execute("SELECT pg_stat_force_next_flush()");
    table.row(
        name,
        speed,
        speed / before,
        database.number("SELECT pg_stat_get_dead_tuples('once_job'::regclass)"),
        database.number("SELECT pg_total_relation_size('once_job')") / MEBIBYTE,
        enqueued - rows.jobs(),
        rows.repeated());
  }
}
