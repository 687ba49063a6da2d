package dev.once.bench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Deliveries of one event each, accepted by the contestants in alternating rounds. */
final class InboxSpeed {
  /** The aim against contestants that detect duplicates, too. */
  static final double AIM = 2;

  private static final int KNOWN = 300;

  private final BenchDatabase database;
  private final List<InboxContestant> contestants;
  private final Table table =
      new Table(
              "Deliveries of one event",
              "deliveries",
              "callers",
              "contestant",
              "accepts/s",
              "p50 ms",
              "p99 ms",
              "Once ÷ it",
              "in rounds",
              "aim",
              "met",
              "what is safe then")
          .charted("accepts/s", "contestant", "deliveries", "callers");

  /** The other {@code contestants} are compared with the first one. */
  InboxSpeed(BenchDatabase database, List<InboxContestant> contestants) {
    this.database = database;
    this.contestants = contestants;
  }

  Table run(Settings settings, Progress progress) throws Exception {
    List<String> known = Stream.generate(Sample::newKey).limit(KNOWN).toList();
    for (InboxContestant contestant : contestants) {
      for (String id : known) {
        contestant.accept(id);
      }
    }
    for (int callers : settings.callers()) {
      Race race = settings.race(callers, progress);
      race(race, "new", Sample::newKey, true);
      race(race, "known", () -> known.get(ThreadLocalRandom.current().nextInt(KNOWN)), false);
    }
    return table;
  }

  private void race(Race race, String kind, Supplier<String> ids, boolean areNew)
      throws SQLException {
    List<Long> before = accepted();
    List<Series> allSeries =
        contestants.stream().map(it -> new Series(it.name(), () -> it.accept(ids.get()))).toList();
    race.run("inbox, " + kind, allSeries, database::settle);
    List<Long> after = accepted();
    for (int i = 0; i < allSeries.size(); i++) {
      requireAccepted(allSeries.get(i), areNew, after.get(i) - before.get(i));
      addRow(kind, race.callers().count(), contestants.get(i), allSeries.get(i), allSeries.get(0));
    }
  }

  private List<Long> accepted() throws SQLException {
    List<Long> counts = new ArrayList<>();
    for (InboxContestant contestant : contestants) {
      counts.add(contestant.accepted());
    }
    return counts;
  }

  private static void requireAccepted(Series series, boolean areNew, long accepted) {
    long expected = areNew ? series.calls() : 0;
    if (accepted != expected) {
      throw new IllegalStateException(
          "%s was to accept %d and accepted %d".formatted(series.name(), expected, accepted));
    }
  }

  private void addRow(
      String kind, int callers, InboxContestant contestant, Series series, Series once) {
    double ratio = once.speedOver(series);
    table.row(
        kind,
        callers,
        series.name(),
        series.callsPerSecond(),
        series.millisMedian(),
        series.millisSlowest(),
        ratio,
        once.speedsOver(series),
        Finding.when(
            !contestant.isOnce(),
            "webhooks, %s, callers: %d".formatted(kind, callers),
            series.name(),
            ratio,
            Aim.atLeast(AIM)),
        contestant.note());
  }
}
