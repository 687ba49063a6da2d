package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.sql.SQLException;
import java.util.List;

/** The same work with a small and with a large table, in turns on one server. */
final class ScaleBenchmark implements Benchmark {
  private static final int SMALL_ROWS = 10_000;

  /** How many times as much a call may cost in the large table. */
  private static final double FLAT = 1.3;

  /** More callers than this wait for connections, which says nothing about the table. */
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
            "cost large ÷ small",
            "yardstick",
            "cost ÷ yardstick",
            "aim",
            "met");
    try (BenchDatabase small =
            BenchDatabase.withSchema(server.newDatabase("small"), settings.connections());
        BenchDatabase large =
            BenchDatabase.withSchema(server.newDatabase("large"), settings.connections())) {
      ScaleWork inSmall = filled(small, SMALL_ROWS, progress);
      ScaleWork inLarge = filled(large, settings.rows(), progress);
      for (int callers : settings.callers()) {
        if (callers <= MAX_CALLERS) {
          Race race = settings.race(callers, progress);
          compare(table, race, inSmall, inLarge);
        }
      }
    }
    return new Report(settings.describe(), List.of(table));
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
    execute.addRow(table, race.callers().count(), write.costGrowth());
    replay.addRow(table, race.callers().count(), read.costGrowth());
  }

  /** One kind of work in both tables. */
  private record Pair(Lane small, Lane large) {
    double costGrowth() {
      return small.speedOver(large);
    }

    void addRow(Table table, int callers, double noise) {
      double growth = costGrowth();
      table.row(
          callers,
          small.name(),
          small.callsPerSecond(),
          large.callsPerSecond(),
          small.millisMedian(),
          large.millisMedian(),
          growth,
          noise,
          growth / noise,
          "≤ " + FLAT,
          Aim.atMost(growth, FLAT));
    }
  }
}
