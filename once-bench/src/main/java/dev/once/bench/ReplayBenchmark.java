package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.util.List;

/** Measures duplicates: all contestants replay completed keys. */
final class ReplayBenchmark implements Benchmark {
  private static final int KEYS = 300;

  private final EmbeddedPostgres server;

  ReplayBenchmark(EmbeddedPostgres server) {
    this.server = server;
  }

  @Override
  public Report run(Settings settings, Progress progress) throws Exception {
    Table table =
        new Table(
                "Done keys: what a duplicate costs on PostgreSQL",
                "callers",
                "contestant",
                "calls/s",
                "p50 ms",
                "p99 ms",
                "Once ÷ it",
                "CPU µs/call, JVM",
                "CPU µs/call, PostgreSQL",
                "what it does")
            .charted("calls/s", "contestant", "callers");
    try (BenchDatabase database =
            BenchDatabase.withSchema(server.newDatabase("replay"), settings.connections());
        Contestants contestants = Contestants.on(database, Sample.TERMS.lease())) {
      progress.say("replay: every contestant executes %d keys".formatted(KEYS));
      DoneKeys keys = DoneKeys.executedBy(contestants, KEYS);
      List<CpuClock> clocks = database.clocks();
      for (int callers : settings.callers()) {
        List<Entry> entries = Entry.replaying(contestants, keys, clocks);
        Race race = settings.race(callers, progress);
        race.run("replay", Entry.allSeries(entries), database::settle);
        addRows(table, race.callers(), entries);
      }
      for (Entry entry : Entry.replaying(contestants, keys, clocks)) {
        entry.requireDone(KEYS); // No replay executed the effect again.
      }
    }
    return new Report(settings.describe(), List.of(table));
  }

  private static void addRows(Table table, Callers callers, List<Entry> entries) {
    Series once = entries.get(0).series();
    for (Entry entry : entries) {
      Series series = entry.series();
      table.row(
          callers.label(),
          series.name(),
          series.callsPerSecond(),
          series.millisMedian(),
          series.millisSlowest(),
          once.speedOver(series),
          series.cpuMicros(),
          entry.contestant().replayNote());
    }
  }
}
