package dev.once.bench;

import java.util.List;

/**
 * Compares the speed of several ways to do the same work, and shows each of them in a row.
 *
 * @param part starts the lines about the progress, and the findings
 * @param perCall how many of the things that the table counts are done by a call
 */
record SpeedTable(Session session, String part, Table table, int perCall) {
  static final double NO_AIM = 0;

  /** The first second of each series is spent on compiling, planning and filling caches. */
  static final int WARM_UP_ROUNDS = 2;

  /**
   * Series that do the same work; the others are compared with the first.
   *
   * @param aim how many calls the first shall make while another makes one, unless that one is
   *     Once's, too; {@link #NO_AIM} where the numbers are for comparison only
   */
  record Contest(String work, double aim, List<Series> series) {
    Contest(String work, double aim, Series... series) {
      this(work, aim, List.of(series));
    }
  }

  /** Creates a table of calls per second. */
  static SpeedTable of(Session session, String part, String title) {
    return of(session, part, title, "calls", 1);
  }

  static SpeedTable of(Session session, String part, String title, String counted, int perCall) {
    String speed = counted + "/s";
    Table table =
        new Table(
                title,
                "work | callers | contestant | %s | p50 ms | p99 ms | first ÷ it | in rounds"
                        .formatted(speed)
                    + " | p99, first ÷ it | CPU µs/call: JVM / servers | note")
            .charted(speed, "contestant", "work", "callers");
    return new SpeedTable(session, part, table, perCall);
  }

  /** Measures series of {@code callers}; {@code settle} is called after the warm-up. */
  void compare(int callers, Runnable settle, Contest... contests) throws Exception {
    Comparison comparison =
        session.comparison("%s, %d callers".formatted(part, callers), WARM_UP_ROUNDS);
    compare(comparison, new Callers(callers).label(), settle, List.of(contests));
  }

  void compare(Comparison comparison, String callers, Runnable settle, List<Contest> contests)
      throws Exception {
    comparison.run(seriesOf(contests), settle);
    for (Contest contest : contests) {
      Series first = contest.series.get(0);
      for (Series series : contest.series) {
        addRow(contest.work, callers, first, series);
        if (contest.aim != NO_AIM && !series.equals(first) && !series.isOnce()) {
          String work = "%s: %s, callers: %s".formatted(part, contest.work, callers);
          table.add(Finding.atLeast(contest.aim, work, series.name(), first.over(series)));
        }
      }
    }
  }

  void add(Finding finding) {
    table.add(finding);
  }

  /** Returns the report of a part that has this table only. */
  Report report() {
    return new Report(session.describe(), List.of(table));
  }

  /** Returns each series once, since contests may share what they are compared with. */
  static List<Series> seriesOf(List<Contest> contests) {
    return contests.stream().flatMap(it -> it.series.stream()).distinct().toList();
  }

  private void addRow(String work, String callers, Series first, Series series) {
    table.row(
        work,
        callers,
        series.name(),
        perCall * series.callsPerSecond(),
        series.p50Millis(),
        series.p99Millis(),
        first.over(series),
        first.rangeOver(series),
        first.p99Over(series),
        series.cpuMicros(),
        series.note());
  }
}
