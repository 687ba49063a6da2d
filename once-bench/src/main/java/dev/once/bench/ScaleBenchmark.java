package dev.once.bench;

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

  /** One kind of work in both tables. */
  private record Pair(Series small, Series large) {}

  static Report run(Session session) throws Exception {
    long rows = session.settings().rows();
    Table table =
        new Table(
            "%,d records beside %,d".formatted(rows, SMALL_ROWS),
            "callers | work | calls/s, small | calls/s, large | p50 ms, small | p50 ms, large"
                + " | CPU µs/call, small: JVM / PostgreSQL | CPU µs/call, large: JVM / PostgreSQL"
                + " | throughput large ÷ small | yardstick | throughput ÷ yardstick | aim | met");
    Table purged =
        new Table(
                "%,d records with a purge running beside %,d idle".formatted(rows, SMALL_ROWS),
                "callers | table | calls/s | p50 ms | p99 ms | throughput large ÷ small"
                    + " | p99 large ÷ small | CPU µs/call, JVM | CPU µs/call, PostgreSQL | purged")
            .charted("calls/s", "table", "callers");
    Table aims = Finding.table();
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
        benchmark.comparePurge(purged, aims, callers);
      }
    }
    return new Report(session.describe(), List.of(table, purged, aims));
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

  private Series series(ScaleTable table, int callers, String name, Work work) {
    List<CpuClock> clocks = table.database().clocks();
    return session.series(name, callers, clocks, () -> work.perform(table));
  }

  private Pair pair(int callers, String name, Work work) {
    return new Pair(series(small, callers, name, work), series(large, callers, name, work));
  }

  private void compare(Table table, int callers) throws Exception {
    Pair execute = pair(callers, "claim + complete of new keys", ScaleTable::executeNew);
    Pair write = pair(callers, "yardstick: one-row update", ScaleBenchmark::updateYardstick);
    Pair replay = pair(callers, "replay of random keys", ScaleTable::replayAny);
    Pair read = pair(callers, "yardstick: one-row read", ScaleBenchmark::readYardstick);
    List<Series> all =
        List.of(execute, write, replay, read).stream()
            .flatMap(it -> List.of(it.small, it.large).stream())
            .toList();
    session.compare("scale", callers, all, () -> {});
    addRow(table, callers, execute, write);
    addRow(table, callers, replay, read);
  }

  private static void addRow(Table table, int callers, Pair pair, Pair yardstick) {
    double ratio = pair.large.over(pair.small);
    double noise = yardstick.large.over(yardstick.small);
    table.row(
        callers,
        pair.small.name(),
        pair.small.callsPerSecond(),
        pair.large.callsPerSecond(),
        pair.small.p50Millis(),
        pair.large.p50Millis(),
        Table.joined(pair.small.cpuMicros()),
        Table.joined(pair.large.cpuMicros()),
        ratio,
        noise,
        ratio / noise,
        Finding.atLeast(
            LARGE_THROUGHPUT,
            "throughput of %s, large table, callers: %d".formatted(pair.small.name(), callers),
            "%,d records".formatted(SMALL_ROWS),
            ratio));
  }

  /** Runs the purge in the large table's rounds only; the small table has no purge. */
  private void comparePurge(Table table, Table aims, int callers) throws Exception {
    long purgedBefore = large.purged();
    Callers threads = new Callers(callers);
    Series idle = series(small, callers, "without a purge", ScaleTable::executeNew);
    Series busy =
        new Series(
                "with a purge",
                () -> large.whilePurging(() -> threads.repeat(large::executeNew, session.round())),
                large.database().clocks())
            .preparedBy(() -> large.addExpired(session.round()));
    session.compare("scale, purge running", callers, List.of(idle, busy), () -> {});
    double speed = busy.over(idle);
    double slowness = busy.p99Over(idle);
    String few = "%,d records, idle".formatted(SMALL_ROWS);
    String many = "%,d records, purge running".formatted(session.settings().rows());
    table.row(callers, few, idle.speed(), 1.0, 1.0, idle.cpuMicros(), 0);
    long purged = large.purged() - purgedBefore;
    table.row(callers, many, busy.speed(), speed, slowness, busy.cpuMicros(), purged);
    String work = "claim + complete, %s, callers: %d".formatted(many, callers);
    Finding.atMost(PURGED_SLOWEST, "p99 of " + work, few, slowness).addTo(aims);
    Finding.atLeast(PURGED_THROUGHPUT, "throughput of " + work, few, speed).addTo(aims);
  }
}
