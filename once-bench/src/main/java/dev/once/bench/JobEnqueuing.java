package dev.once.bench;

import java.sql.SQLException;
import java.util.List;

/** Measures the cost of a job for the business transaction that enqueues it. */
final class JobEnqueuing {
  private static final double MAX_COST = 1.15;

  /** With more callers the wait for connections would dominate, not the jobs. */
  private static final int MAX_CALLERS = 16;

  private final BenchDatabase database;
  private final Settings settings;
  private final Progress progress;
  private final Table table =
      new Table(
          "A transaction of INSERT + UPDATE, and the same with a job in it",
          "callers",
          "in it",
          "calls/s",
          "p50 ms",
          "p99 ms",
          "without ÷ it",
          "in rounds",
          "aim",
          "met");

  JobEnqueuing(BenchDatabase database, Settings settings, Progress progress) {
    this.database = database;
    this.settings = settings;
    this.progress = progress;
  }

  Table run() throws SQLException {
    Booking booking = new Booking(database);
    booking.createTables();
    try (OnceJobQueue queue =
        new OnceJobQueue(database, settings.connections(), OnceJobQueue.Mode.TRANSACTIONAL)) {
      queue.clear();
      for (int callers : settings.upTo(MAX_CALLERS).callers()) {
        compare(callers, booking, queue);
      }
    }
    return table;
  }

  private void compare(int callers, Booking booking, OnceJobQueue queue) throws SQLException {
    long before = queue.unfinished();
    Series without = new Series("nothing more", () -> booking.book((connection, id) -> {}));
    Series bare = new Series("a row in a bare table", () -> booking.book(Booking::writeOutbox));
    Series with = new Series("a job", () -> booking.book(queue::enqueue));
    settings
        .race(callers, progress)
        .run("jobs, enqueuing", List.of(without, bare, with), database::settle);
    requireJobs(with.calls(), queue.unfinished() - before);
    addRow(callers, without, without, false);
    addRow(callers, bare, without, false);
    addRow(callers, with, without, true);
  }

  private void addRow(int callers, Series series, Series without, boolean hasAim) {
    double cost = without.speedOver(series);
    table.row(
        callers,
        series.name(),
        series.callsPerSecond(),
        series.millisMedian(),
        series.millisSlowest(),
        cost,
        without.speedsOver(series),
        Finding.when(
            hasAim,
            "cost of a transaction with a job in it, callers: " + callers,
            "the same without",
            cost,
            Aim.atMost(MAX_COST)));
  }

  private static void requireJobs(long calls, long jobs) {
    if (jobs != calls) {
      throw new IllegalStateException("%d calls enqueued %d jobs".formatted(calls, jobs));
    }
  }
}
