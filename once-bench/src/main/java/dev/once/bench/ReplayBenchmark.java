package dev.once.bench;

import java.util.ArrayList;
import java.util.List;

/** Measures duplicates: all contestants replay completed keys. */
final class ReplayBenchmark {
  private static final int KEYS = 300;

  private ReplayBenchmark() {}

  static Report run(Session session) throws Exception {
    Table table =
        new Table(
                "Done keys: what a duplicate costs on PostgreSQL",
                "callers | contestant | calls/s | p50 ms | p99 ms | Once ÷ it"
                    + " | CPU µs/call, JVM | CPU µs/call, PostgreSQL | what it does")
            .charted("calls/s", "contestant", "callers");
    try (BenchDatabase database = session.databaseOfOnce("replay");
        Contestants contestants = Contestants.on(database, Sample.TERMS.lease())) {
      session.say("replay: every contestant executes %d keys".formatted(KEYS));
      List<String> keys = Sample.newKeys(KEYS);
      for (Contestant contestant : contestants.all()) {
        for (String key : keys) {
          contestant.execute(key);
        }
      }
      for (int callers : session.settings().callers()) {
        compare(session, table, callers, contestants.all(), keys, database);
      }
    }
    return new Report(session.describe(), List.of(table));
  }

  private static void compare(
      Session session,
      Table table,
      int callers,
      List<Contestant> contestants,
      List<String> keys,
      BenchDatabase database)
      throws Exception {
    List<CpuClock> clocks = database.clocks();
    List<Series> all = new ArrayList<>();
    for (Contestant it : contestants) {
      all.add(
          session
              .series(it.name(), callers, clocks, () -> it.replay(Sample.anyOf(keys)))
              .counting(it::done, 0)); // No replay executes the effect again.
    }
    session.compare("replay", callers, all, database::settle);
    for (int i = 0; i < all.size(); i++) {
      Series series = all.get(i);
      table.row(
          new Callers(callers).label(),
          series.name(),
          series.speed(),
          all.get(0).over(series),
          series.cpuMicros(),
          contestants.get(i).profile().replayNote());
    }
  }
}
