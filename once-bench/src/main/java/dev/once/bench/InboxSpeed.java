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
    List<Lane> lanes =
        contestants.stream().map(it -> new Lane(it.name(), () -> it.accept(ids.get()))).toList();
    race.run("inbox, " + kind, lanes, database::settle);
    List<Long> after = accepted();
    for (int i = 0; i < lanes.size(); i++) {
      requireAccepted(lanes.get(i), areNew, after.get(i) - before.get(i));
      addRow(kind, race.callers().count(), contestants.get(i), lanes.get(i), lanes.get(0));
    }
  }

  private List<Long> accepted() throws SQLException {
    List<Long> counts = new ArrayList<>();
    for (InboxContestant contestant : contestants) {
      counts.add(contestant.accepted());
    }
    return counts;
  }

  private static void requireAccepted(Lane lane, boolean areNew, long accepted) {
    long expected = areNew ? lane.calls() : 0;
    if (accepted != expected) {
      throw new IllegalStateException(
          "%s was to accept %d and accepted %d".formatted(lane.name(), expected, accepted));
    }
  }

  private void addRow(String kind, int callers, InboxContestant contestant, Lane lane, Lane once) {
    double ratio = once.speedOver(lane);
    table.row(
        kind,
        callers,
        lane.name(),
        lane.callsPerSecond(),
        lane.millisMedian(),
        lane.millisSlowest(),
        ratio,
        once.speedsOver(lane),
        Finding.when(
            !contestant.isOnce(),
            "webhooks, %s, callers: %d".formatted(kind, callers),
            lane.name(),
            ratio,
            Aim.atLeast(AIM)),
        contestant.note());
  }
}
