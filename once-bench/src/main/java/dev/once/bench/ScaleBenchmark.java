package dev.once.bench;

import dev.once.bench.SpeedTable.Contest;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The same work with a small and with a large table, in alternating rounds on one server. */
record ScaleBenchmark(Session session, ScaleTable small, ScaleTable large) {
  private static final int SMALL_ROWS = 10_000;

  /** The least throughput in the large table, as a share of that in the small one. */
  private static final double LARGE_THROUGHPUT = 0.77;

  /** The most that the slowest calls may take while a purge runs, as a multiple. */
  private static final double PURGED_SLOWEST = 2;

  /** The least share of the small table's throughput while a purge runs. */
  private static final double PURGED_THROUGHPUT = 0.9;

  /** With more callers the wait for connections would dominate, not the table. */
  private static final int MAX_CALLERS = 16;

  /** The rows of a table that is the same in both databases. */
  private static final int YARDSTICK_ROWS = 1000;

  /** Work on one of the tables. */
  @FunctionalInterface
  private interface Work {
    void perform(ScaleTable table) throws Exception;
  }

  static Report run(Session session) throws Exception {
    long rows = session.settings().rows();
    SpeedTable table =
        SpeedTable.of(session, "scale", "%,d records beside %,d".formatted(rows, SMALL_ROWS));
    try (BenchDatabase first = session.databaseOfOnce("small");
        BenchDatabase second = session.databaseOfOnce("large")) {
      ScaleBenchmark benchmark =
          new ScaleBenchmark(
              session, new ScaleTable(first, SMALL_ROWS), new ScaleTable(second, rows));
      for (ScaleTable it : List.of(benchmark.small, benchmark.large)) {
        it.fill(session);
        createYardstick(it.database());
      }
      for (int callers : session.callersUpTo(MAX_CALLERS)) {
        benchmark.compare(table, callers);
        benchmark.comparePurge(table, callers);
      }
    }
    return table.report();
  }

  /** Creates a small table for work that is the same everywhere: a difference there is noise. */
  private static void createYardstick(BenchDatabase database) {
    database.execute(
        "CREATE TABLE yardstick (id integer PRIMARY KEY, hits bigint) WITH (fillfactor = 50)");
    database.execute(
        "INSERT INTO yardstick SELECT id, 0 FROM generate_series(1, %d) id"
            .formatted(YARDSTICK_ROWS));
  }

  private static void updateYardstick(ScaleTable table) throws Exception {
    int row = 1 + ThreadLocalRandom.current().nextInt(YARDSTICK_ROWS);
    table.database().update("UPDATE yardstick SET hits = hits + 1 WHERE id = ?", row);
  }

  private static void readYardstick(ScaleTable table) throws Exception {
    int row = 1 + ThreadLocalRandom.current().nextInt(YARDSTICK_ROWS);
    try (var connection = table.database().pool().getConnection();
        var statement = connection.prepareStatement("SELECT hits FROM yardstick WHERE id = ?")) {
      statement.setInt(1, row);
      statement.executeQuery().next();
    }
  }

  private void compare(SpeedTable table, int callers) throws Exception {
    table.compare(
        callers,
        () -> {},
        contest(callers, "new keys", LARGE_THROUGHPUT, ScaleTable::executeNew),
        contest(callers, "yardstick: update", SpeedTable.NO_AIM, ScaleBenchmark::updateYardstick),
        contest(callers, "replay of random keys", LARGE_THROUGHPUT, ScaleTable::replayAny),
        contest(callers, "yardstick: read", SpeedTable.NO_AIM, ScaleBenchmark::readYardstick));
  }

  /** Compares the large table with the small one. */
  private Contest contest(int callers, String work, double aim, Work calls) {
    return new Contest(work, aim, series(large, callers, calls), series(small, callers, calls));
  }

  private Series series(ScaleTable table, int callers, Work work) {
    return session.series(
        "%,d records".formatted(table.rows()),
        callers,
        table.database().clocks(),
        () -> work.perform(table));
  }

  /** Runs the purge in the large table's rounds only; the small table has no purge. */
  private void comparePurge(SpeedTable table, int callers) throws Exception {
    Callers threads = new Callers(callers);
    Series busy =
        new Series(
                "%,d records, purge running".formatted(large.rows()),
                () -> large.whilePurging(() -> threads.repeat(large::executeNew, session.round())),
                large.database().clocks())
            .preparedBy(() -> large.addExpired(session.round()));
    Series idle = series(small, callers, ScaleTable::executeNew);
    String work = "new keys while a purge runs";
    table.compare(callers, () -> {}, new Contest(work, PURGED_THROUGHPUT, busy, idle));
    table.add(
        Finding.atMost(
            PURGED_SLOWEST,
            "scale: p99 of %s, callers: %d".formatted(work, callers),
            idle.name(),
            busy.p99Over(idle)));
  }
}
