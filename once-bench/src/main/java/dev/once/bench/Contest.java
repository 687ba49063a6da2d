package dev.once.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Work with Once and the work without Once that it is compared with.
 *
 * @param aim the share of the other work's speed that Once must reach
 */
record Contest(String work, Series once, Series beside, double aim) {
  private static final String CPU = ", CPU µs/call: callers / service / PostgreSQL";

  /** Creates a table for contests that are all compared with the same kind of work. */
  static Table table(String title, String beside) {
    return new Table(
            title,
            "work",
            "callers",
            beside + ", calls/s",
            "Once, calls/s",
            Chart.RATIO,
            "in rounds",
            "aim",
            "met",
            beside + ", p50 / p99 ms",
            "Once, p50 / p99 ms",
            beside + CPU,
            "Once" + CPU)
        .charted(Chart.RATIO, "work", "callers");
  }

  /** Returns the work of all contests without repetition: several may be compared with the same. */
  static List<Series> allSeries(List<Contest> contests) {
    List<Series> allSeries = new ArrayList<>();
    for (Contest contest : contests) {
      if (!allSeries.contains(contest.beside)) {
        allSeries.add(contest.beside);
      }
      allSeries.add(contest.once);
    }
    return allSeries;
  }

  /**
   * Adds the result to a table.
   *
   * @param kind the kind of all work in the table
   * @param against the work that all of it is compared with
   */
  void addRow(Table table, String kind, String against, int callers) {
    double ratio = once.speedOver(beside);
    table.row(
        work,
        callers,
        beside.callsPerSecond(),
        once.callsPerSecond(),
        ratio,
        once.speedsOver(beside),
        new Finding(
            "%s, %s, callers: %d".formatted(kind, work, callers), against, ratio, Aim.atLeast(aim)),
        latency(beside),
        latency(once),
        Table.joined(beside.cpuMicros()),
        Table.joined(once.cpuMicros()));
  }

  private static String latency(Series series) {
    return "%.2f / %.2f".formatted(series.millisMedian(), series.millisSlowest());
  }
}
