package dev.once.bench;

import dev.once.bench.SpeedTable.Contest;

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
      benchmark.small.fill(session);
      benchmark.large.fill(session);
      for (int callers : session.callersUpTo(MAX_CALLERS)) {
        benchmark.compare(table, callers);
        benchmark.comparePurge(table, callers);
      }
    }
    return table.report();
  }

  private void compare(SpeedTable table, int callers) throws Exception {
    table.compare(
        callers,
        () -> {},
        contest(callers, "new keys", ScaleTable::executeNew),
        contest(callers, "replay of random keys", ScaleTable::replayAny));
  }

  /** Compares the large table with the small one. */
  private Contest contest(int callers, String work, Work calls) {
    return new Contest(
        work, LARGE_THROUGHPUT, series(large, callers, calls), series(small, callers, calls));
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
