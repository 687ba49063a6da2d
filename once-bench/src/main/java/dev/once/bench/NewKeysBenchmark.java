package dev.once.bench;

import dev.once.bench.Contestant.Role;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All contestants claim and complete new keys, with several numbers of callers.
 *
 * @param place where the keys are stored
 * @param clocks read the processor time of this JVM and of the server
 * @param settle is called after each warm-up
 */
record NewKeysBenchmark(
    Session session,
    String place,
    Contestants contestants,
    List<Target> targets,
    List<CpuClock> clocks,
    Runnable settle) {
  /** How fast Once must be compared with the best contestant of a role. */
  private record Target(int callers, Role against, double ratio) {}

  private static final List<Target> POSTGRES_TARGETS =
      List.of(
          new Target(1, Role.BY_HAND, 1.0),
          new Target(64, Role.PEER, 1.5),
          new Target(512, Role.PEER, 4.2));
  private static final List<Target> REDIS_TARGETS =
      List.of(new Target(1, Role.BY_HAND, 0.8), new Target(64, Role.BY_HAND, 0.8));

  static Report postgres(Session session) throws Exception {
    try (BenchDatabase database = session.databaseOfOnce("load");
        Contestants contestants = Contestants.on(database, Sample.TERMS.lease())) {
      NewKeysBenchmark benchmark =
          new NewKeysBenchmark(
              session,
              "PostgreSQL",
              contestants,
              POSTGRES_TARGETS,
              database.clocks(),
              database::settle);
      return new Report(session.describe(), benchmark.run("load"));
    }
  }

  static Report redis(Session session) throws Exception {
    BenchRedis redis = new BenchRedis(session.servers().redis().uri());
    try (Contestants contestants = Contestants.on(redis, Sample.TERMS.lease())) {
      NewKeysBenchmark benchmark =
          new NewKeysBenchmark(
              session, "Redis", contestants, REDIS_TARGETS, redis.clocks(), () -> {});
      return new Report(
          "%s One connection each, through Lettuce; Redis with `%s`, the same for all."
              .formatted(session.describeRounds(), Servers.describeRedis()),
          benchmark.run("redis"));
    }
  }

  private List<Table> run(String part) throws Exception {
    Table speeds =
        new Table(
                "New keys: claim + complete on " + place,
                "callers | contestant | flushes | calls/s | p50 ms | p99 ms | Once ÷ it | in rounds"
                    + " | CPU µs/call, JVM | CPU µs/call, %s | crash in between; duplicates"
                        .formatted(place))
            .charted("calls/s", "contestant", "callers");
    Table aims = Finding.table();
    for (int callers : session.settings().callers()) {
      Map<Contestant, Series> measured = new LinkedHashMap<>();
      for (Contestant it : contestants.all()) {
        measured.put(
            it,
            session
                .series(it.name(), callers, clocks, () -> it.execute(Sample.newKey()))
                .counting(it::done, 1));
      }
      session.compare(part, callers, List.copyOf(measured.values()), settle);
      addRows(speeds, callers, measured);
      addAims(aims, callers, measured);
    }
    return aims.rows().isEmpty() ? List.of(speeds) : List.of(speeds, aims);
  }

  private Series once(Map<Contestant, Series> measured) {
    return measured.values().iterator().next();
  }

  private void addRows(Table table, int callers, Map<Contestant, Series> measured) {
    Series once = once(measured);
    measured.forEach(
        (contestant, series) ->
            table.row(
                new Callers(callers).label(),
                series.name(),
                contestant.profile().commits(),
                series.speed(),
                once.ratioTo(series),
                series.cpuMicros(),
                contestant.profile().note()));
  }

  private void addAims(Table table, int callers, Map<Contestant, Series> measured) {
    Series once = once(measured);
    for (Target target : targets) {
      if (target.callers == callers) {
        Series best =
            contestants.all().stream()
                .filter(it -> it.profile().role() == target.against)
                .map(measured::get)
                .min(Comparator.comparingDouble(once::over))
                .orElseThrow();
        Finding.atLeast(
                target.ratio,
                "claim + complete, %s, callers: %s".formatted(place, new Callers(callers).label()),
                (target.against == Role.PEER ? "best peer: " : "") + best.name(),
                once.over(best))
            .addTo(table);
      }
    }
  }
}
