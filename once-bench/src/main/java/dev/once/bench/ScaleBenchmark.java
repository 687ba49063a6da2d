package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.sql.SQLException;
import java.util.List;

/** The same work with a small and with a large table, in alternating rounds on one server. */
final class ScaleBenchmark implements Benchmark {
  private static final int SMALL_ROWS = 10_000;

  /** The least throughput in the large table, as a share of that in the small one. */
  private static final double LARGE_THROUGHPUT = 0.77;

  /** The most that the slowest calls may take while a purge runs, as a multiple. */
  private static final double PURGED_SLOWEST = 2;

  /** The least share of the small table's throughput while a purge runs. */
  private static final double PURGED_THROUGHPUT = 0.9;

  /** With more callers the wait for connections would dominate, not the table. */
  private static final int MAX_CALLERS = 16;

  private final EmbeddedPostgres server;

  ScaleBenchmark(EmbeddedPostgres server) {
    this.server = server;
  }

  @Override
  public Report run(Settings settings, Progress progress) throws SQLException {
    Table table =
        new Table(
            "%,d records beside %,d".formatted(settings.rows(), SMALL_ROWS),
            "callers",
            "work",
            "calls/s, small",
            "calls/s, large",
            "p50 ms, small",
            "p50 ms, large",
            "CPU µs/call, small: JVM / PostgreSQL",
            "CPU µs/call, large: JVM / PostgreSQL",
            "throughput large ÷ small",
            "yardstick",
            "throughput ÷ yardstick",
            "aim",
            "met");
    Table purged =
        new Table(
                "%,d records with a purge running beside %,d idle"
                    .formatted(settings.rows(), SMALL_ROWS),
                "callers",
                "table",
                "calls/s",
                "p50 ms",
                "p99 ms",
                "throughput large ÷ small",
                "p99 large ÷ small",
                "CPU µs/call, JVM",
                "CPU µs/call, PostgreSQL",
                "purged")
            .charted("calls/s", "table", "callers");
    Table aims = Finding.table();
    try (BenchDatabase small =
            BenchDatabase.withSchema(server.newDatabase("small"), settings.connections());
        BenchDatabase large =
            BenchDatabase.withSchema(server.newDatabase("large"), settings.connections())) {
      ScaleWork inSmall = filled(small, SMALL_ROWS, progress);
      ScaleWork inLarge = filled(large, settings.rows(), progress);
      for (int callers : settings.upTo(MAX_CALLERS).callers()) {
        Race race = settings.race(callers, progress);
        compare(table, race, inSmall, inLarge);
        purge(purged, aims, race, settings, inSmall, inLarge);
      }
    }
    return new Report(settings.describe(), List.of(table, purged, aims));
  }

  private static ScaleWork filled(BenchDatabase database, long rows, Progress progress)
      throws SQLException {
    ScaleTable table = new ScaleTable(database, rows);
    table.fill(progress);
    return new ScaleWork(table);
  }

  private static void compare(Table table, Race race, ScaleWork small, ScaleWork large) {
    Pair execute = new Pair(small.execute(), large.execute());
    Pair write = new Pair(small.write(), large.write());
    Pair replay = new Pair(small.replay(), large.replay());
    Pair read = new Pair(small.read(), large.read());
    race.run(
        "scale",
        List.of(
            execute.small,
            execute.large,
            write.small,
            write.large,
            replay.small,
            replay.large,
            read.small,
            read.large),
        () -> {});
    execute.addRow(table, race.callers().count(), write.throughputRatio());
    replay.addRow(table, race.callers().count(), read.throughputRatio());
  }

  /** Runs the purge in the large table's rounds only; the small table has no purge. */
  private static void purge(
      Table table, Table aims, Race race, Settings settings, ScaleWork small, ScaleWork large) {
    Series idle = small.execute();
    Purging purging = large.purging(settings.round());
    Series busy = large.executeBeside(purging);
    race.run("scale, purge running", List.of(idle, busy), () -> {});
    double throughput = busy.speedOver(idle);
    double slowness = busy.slownessOver(idle);
    addRow(table, race, "%,d records, idle".formatted(SMALL_ROWS), idle, 1.0, 1.0, 0);
    String many = "%,d records, purge running".formatted(settings.rows());
    addRow(table, race, many, busy, throughput, slowness, purging.purged());
    String work = "claim + complete, %s, callers: %d".formatted(many, race.callers().count());
    String against = "%,d records, idle".formatted(SMALL_ROWS);
    new Finding("p99 of " + work, against, slowness, Aim.atMost(PURGED_SLOWEST)).addTo(aims);
    new Finding("throughput of " + work, against, throughput, Aim.atLeast(PURGED_THROUGHPUT))
        .addTo(aims);
  }

  private static void addRow(
      Table table,
      Race race,
      String records,
      Series series,
      double throughput,
      double slow,
      long purged) {
    table.row(
        race.callers().count(),
        records,
        series.callsPerSecond(),
        series.millisMedian(),
        series.millisSlowest(),
        throughput,
        slow,
        series.cpuMicros(),
        purged);
  }

  /** One kind of work in both tables. */
  private record Pair(Series small, Series large) {
    double throughputRatio() {
      return large.speedOver(small);
    }

    void addRow(Table table, int callers, double noise) {
      double ratio = throughputRatio();
      table.row(
          callers,
          small.name(),
          small.callsPerSecond(),
          large.callsPerSecond(),
          small.millisMedian(),
          large.millisMedian(),
          Table.joined(small.cpuMicros()),
          Table.joined(large.cpuMicros()),
          ratio,
          noise,
          ratio / noise,
          new Finding(
              "throughput of %s, large table, callers: %d".formatted(small.name(), callers),
              "%,d records".formatted(SMALL_ROWS),
              ratio,
              Aim.atLeast(LARGE_THROUGHPUT)));
    }
  }
}
