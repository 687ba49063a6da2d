package dev.once.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of work with Once in it and what it is held against.
 *
 * @param aim how much of the other's speed it shall reach
 */
record Contest(String work, Lane once, Lane beside, double aim) {
  private static final String CPU = ", CPU µs/call: callers / service / PostgreSQL";

  /** A table for contests that are all held against the same kind of work. */
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

  /** Each lane once, although several may be held against one. */
  static List<Lane> lanes(List<Contest> contests) {
    List<Lane> lanes = new ArrayList<>();
    for (Contest contest : contests) {
      if (!lanes.contains(contest.beside)) {
        lanes.add(contest.beside);
      }
      lanes.add(contest.once);
    }
    return lanes;
  }

  /**
   * Adds it to a table.
   *
   * @param kind what all work in the table is
   * @param against what all of it is held against
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

  private static String latency(Lane lane) {
    return "%.2f / %.2f".formatted(lane.millisMedian(), lane.millisSlowest());
  }
}
