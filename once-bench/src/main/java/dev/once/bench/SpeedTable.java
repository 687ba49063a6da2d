package dev.once.bench;

import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Compares the speed of several ways to do the same work, and shows each of them in a row.
 *
 * @param part starts the lines about the progress, and the findings
 * @param perCall how many of the things that the table counts are done by a call
 */
record SpeedTable(Session session, String part, Table table, int perCall) {
  static final double NO_AIM = 0;

  /** How many rounds the series of a comparison have. */
  enum Rounds {
    /**
     * Rounds of the set length. Two seconds are spent on compiling, planning and filling caches.
     */
    SHORT(2, Integer.MAX_VALUE),
    /** Each round works off a whole backlog. */
    BACKLOG(1, Integer.MAX_VALUE),
    /** Each round is long, and prepares itself. */
    LONG(0, 3);

    final int warmUps;
    final int most;

    Rounds(int warmUps, int most) {
      this.warmUps = warmUps;
      this.most = most;
    }
  }

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
    String what = "%d callers".formatted(callers);
    compare(Rounds.SHORT, what, new Callers(callers).label(), settle, List.of(contests));
  }

  /**
   * Measures processes of their own, which the JIT compiler has to know first: they warm up for
   * some rounds with the largest number of callers, before each number is measured.
   */
  void compareWarm(
      int warmUps, List<Integer> callers, Runnable settle, IntFunction<List<Contest>> contests)
      throws Exception {
    List<Series> all = seriesOf(contests.apply(Collections.max(callers)));
    Series.takeTurns(all, part, warmUps, 0, () -> {}, session.progress());
    for (int count : callers) {
      compare(count, settle, contests.apply(count).toArray(Contest[]::new));
    }
  }

  /** Measures all series of {@code contests} in turns, and adds a row for each. */
  void compare(Rounds rounds, String what, String callers, Runnable settle, List<Contest> contests)
      throws Exception {
    Series.takeTurns(
        seriesOf(contests),
        "%s, %s".formatted(part, what),
        rounds.warmUps,
        Math.min(rounds.most, session.settings().rounds()),
        settle,
        session.progress());
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
        series.millisWithin(0.5),
        series.millisWithin(Series.P99),
        first.over(series),
        first.rangeOver(series),
        first.p99Over(series),
        series.cpuMicros(),
        series.note());
  }
}
