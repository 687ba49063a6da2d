package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** New keys: claim and complete, by everybody, at several numbers of callers. */
final class LoadBenchmark implements Benchmark {
  private final EmbeddedPostgres server;

  LoadBenchmark(EmbeddedPostgres server) {
    this.server = server;
  }

  @Override
  public Report run(Settings settings, Progress progress) {
    Table table =
        new Table(
            "New keys: claim + complete on PostgreSQL",
            "callers",
            "contestant",
            "commits",
            "calls/s",
            "p50 ms",
            "p99 ms",
            "Once ÷ it",
            "aim",
            "met",
            "crash in between; duplicates");
    try (BenchDatabase database =
            BenchDatabase.withSchema(server.newDatabase("load"), settings.connections());
        Contestants contestants = new Contestants(database)) {
      List<Entry> earlier = new ArrayList<>();
      for (int callers : settings.callers()) {
        List<Entry> entries = Entry.executing(contestants);
        settings.race(callers, progress).run("load", Entry.lanes(entries), database::settle);
        addRows(table, callers, entries);
        earlier.addAll(entries);
      }
      requireDone(contestants, earlier);
    }
    return new Report(settings.describe(), List.of(table));
  }

  private static void addRows(Table table, int callers, List<Entry> entries) {
    Lane once = entries.get(0).lane();
    for (Entry entry : entries) {
      Lane lane = entry.lane();
      double ratio = once.speedOver(lane);
      OptionalDouble aim = entry.contestant().aim();
      table.row(
          callers,
          lane.name(),
          entry.contestant().commits(),
          lane.callsPerSecond(),
          lane.millisMedian(),
          lane.millisSlowest(),
          ratio,
          aim.isPresent() ? aim.getAsDouble() : "",
          aim.isPresent() ? Aim.atLeast(ratio, aim.getAsDouble()) : "",
          entry.contestant().note());
    }
  }

  private static void requireDone(Contestants contestants, List<Entry> entries) {
    for (Contestant contestant : contestants.all()) {
      List<Entry> own = entries.stream().filter(it -> it.contestant().equals(contestant)).toList();
      own.get(0).requireDone(own.stream().mapToLong(it -> it.lane().calls()).sum());
    }
  }
}
