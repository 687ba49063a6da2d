package dev.once.bench;

import dev.once.bench.SpeedTable.Contest;

/** Once's table with many records, compared with a small one, and while expired ones are purged. */
record ScaleBenchmark(Session session, LargeAgainstSmall<ScaleTable> tables) {
  /** The most that the slowest calls may take while a purge runs, as a multiple. */
  private static final double PURGED_SLOWEST = 2;

  /** The least share of the small table's throughput while a purge runs. */
  private static final double PURGED_THROUGHPUT = 0.9;

  static Report run(Session session) throws Exception {
    long rows = session.settings().rows();
    String title = "%,d records beside %,d".formatted(rows, LargeAgainstSmall.SMALL_ROWS);
    SpeedTable table = SpeedTable.of(session, "scale", title);
    try (BenchDatabase first = session.databaseOfOnce("small");
        BenchDatabase second = session.databaseOfOnce("large")) {
      ScaleTable small = new ScaleTable(first, LargeAgainstSmall.SMALL_ROWS);
      ScaleTable large = new ScaleTable(second, rows);
      small.fill(session);
      large.fill(session);
      var tables = new LargeAgainstSmall<>(session, large, small);
      for (int callers : session.callersUpTo(LargeAgainstSmall.MAX_CALLERS)) {
        table.compare(
            callers,
            () -> {},
            tables.contest("new keys", callers, ScaleTable::executeNew),
            tables.contest("replay of random keys", callers, ScaleTable::replayAny));
        new ScaleBenchmark(session, tables).comparePurge(table, callers);
      }
    }
    return table.report();
  }

  /** Runs the purge in the large table's rounds only; the small table has no purge. */
  private void comparePurge(SpeedTable table, int callers) throws Exception {
    ScaleTable large = tables.large();
    Callers threads = new Callers(callers);
    Series busy =
        new Series(
                large.name() + ", purge running",
                () -> large.whilePurging(() -> threads.repeat(large::executeNew, session.round())),
                large.database().clocks())
            .preparedBy(() -> large.addExpired(session.round()));
    Series idle = tables.series(tables.small(), callers, ScaleTable::executeNew);
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
