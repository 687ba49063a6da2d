package dev.once.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * All contestants claim and complete new keys, with several numbers of callers.
 *
 * @param place where the keys are stored
 * @param settle is called after each warm-up
 * @param clocks read the processor time of this JVM and of the server
 */
record NewKeys(
    String place,
    Contestants contestants,
    List<Target> targets,
    Runnable settle,
    List<CpuClock> clocks) {
  List<Table> run(String part, Settings settings, Progress progress) {
    Table speeds =
        new Table(
                "New keys: claim + complete on " + place,
                "callers",
                "contestant",
                "flushes",
                "calls/s",
                "p50 ms",
                "p99 ms",
                "Once ÷ it",
                "in rounds",
                "CPU µs/call, JVM",
                "CPU µs/call, " + place,
                "crash in between; duplicates")
            .charted("calls/s", "contestant", "callers");
    Table aims = Finding.table();
    List<Entry> all = new ArrayList<>();
    for (int callers : settings.callers()) {
      List<Entry> entries = Entry.executing(contestants, clocks);
      Race race = settings.race(callers, progress);
      race.run(part, Entry.allSeries(entries), settle);
      addRows(speeds, race.callers(), entries);
      addAims(aims, race.callers(), entries);
      all.addAll(entries);
    }
    requireDone(all);
    return aims.rows().isEmpty() ? List.of(speeds) : List.of(speeds, aims);
  }

  private static void addRows(Table table, Callers callers, List<Entry> entries) {
    Series once = entries.get(0).series();
    for (Entry entry : entries) {
      Series series = entry.series();
      table.row(
          callers.label(),
          series.name(),
          entry.contestant().commits(),
          series.callsPerSecond(),
          series.millisMedian(),
          series.millisSlowest(),
          once.speedOver(series),
          once.speedsOver(series),
          series.cpuMicros(),
          entry.contestant().note());
    }
  }

  private void addAims(Table table, Callers callers, List<Entry> entries) {
    Series once = entries.get(0).series();
    for (Target target : targets) {
      if (target.callers() == callers.count()) {
        Series best =
            entries.stream()
                .filter(it -> it.contestant().role() == target.against())
                .map(Entry::series)
                .min(Comparator.comparingDouble(once::speedOver))
                .orElseThrow();
        new Finding(
                "claim + complete, %s, callers: %s".formatted(place, callers.label()),
                target.against() == Contestant.Role.PEER
                    ? "best peer: " + best.name()
                    : best.name(),
                once.speedOver(best),
                Aim.atLeast(target.ratio()))
            .addTo(table);
      }
    }
  }

  private void requireDone(List<Entry> entries) {
    for (Contestant contestant : contestants.all()) {
      List<Entry> own = entries.stream().filter(it -> it.contestant().equals(contestant)).toList();
      own.get(0).requireDone(own.stream().mapToLong(it -> it.series().calls()).sum());
    }
  }
}
