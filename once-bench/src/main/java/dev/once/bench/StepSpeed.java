package dev.once.bench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Workflows of ten steps, run by the contestants in alternating rounds. */
final class StepSpeed {
  /** The aim against contestants that record steps, too. */
  static final double AIM = 2;

  private final BenchDatabase database;
  private final List<Pair> pairs;
  private final Table table =
      new Table(
              "Workflows of 10 steps",
              "each step",
              "callers",
              "contestant",
              "commits per workflow",
              "steps/s",
              "workflow p50 ms",
              "p99 ms",
              "Once ÷ it",
              "in rounds",
              "aim",
              "met")
          .charted("steps/s", "contestant", "each step", "callers");

  /** Two contestants that do the same work. */
  record Pair(String work, StepContestant once, StepContestant rival) {}

  /** One of them in a race, with the measurements of Once in the same race. */
  private record Entry(String work, StepContestant contestant, Series series, Series once) {
    static Stream<Entry> of(Pair pair) {
      Series once = new Series(pair.once.name(), pair.once::run);
      Series rival = new Series(pair.rival.name(), pair.rival::run);
      return Stream.of(
          new Entry(pair.work, pair.once, once, once),
          new Entry(pair.work, pair.rival, rival, once));
    }
  }

  StepSpeed(BenchDatabase database, List<Pair> pairs) {
    this.database = database;
    this.pairs = pairs;
  }

  Table run(Settings settings, Progress progress) throws SQLException {
    List<Entry> all = new ArrayList<>();
    for (int callers : settings.callers()) {
      List<Entry> entries = pairs.stream().flatMap(Entry::of).toList();
      settings
          .race(callers, progress)
          .run("steps", entries.stream().map(Entry::series).toList(), database::settle);
      entries.forEach(it -> addRow(callers, it));
      all.addAll(entries);
    }
    for (Pair pair : pairs) {
      requireSteps(pair.once, all);
      requireSteps(pair.rival, all);
    }
    return table;
  }

  private void addRow(int callers, Entry entry) {
    Series series = entry.series;
    double ratio = entry.once.speedOver(series);
    boolean isRival = !series.equals(entry.once);
    table.row(
        entry.work,
        callers,
        series.name(),
        entry.contestant.commits(),
        StepContestant.STEPS * series.callsPerSecond(),
        series.millisMedian(),
        series.millisSlowest(),
        ratio,
        entry.once.speedsOver(series),
        Finding.when(
            isRival,
            "a step %s, callers: %d".formatted(entry.work, callers),
            series.name(),
            ratio,
            Aim.atLeast(AIM)));
  }

  /** Checks that all steps of all workflows are recorded, so no work was skipped. */
  private static void requireSteps(StepContestant contestant, List<Entry> entries)
      throws SQLException {
    long workflows =
        entries.stream()
            .filter(it -> it.contestant.equals(contestant))
            .mapToLong(it -> it.series.calls())
            .sum();
    long steps = contestant.steps();
    if (steps != StepContestant.STEPS * workflows) {
      throw new IllegalStateException(
          "%s ran %d workflows and left %d steps".formatted(contestant.name(), workflows, steps));
    }
  }
}
