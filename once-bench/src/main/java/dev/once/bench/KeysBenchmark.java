package dev.once.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All contestants call new or completed keys, with several numbers of callers. */
record KeysBenchmark(
    SpeedTable table, Receivers receivers, List<CpuClock> clocks, Runnable settle) {
  private static final int COMPLETED_KEYS = 300;

  /** How fast Once must be, compared with the same by hand or with the best of the others. */
  private record Target(int callers, boolean isByHand, double ratio) {}

  private static final List<Target> POSTGRES_TARGETS =
      List.of(new Target(1, true, 1.0), new Target(64, false, 1.5), new Target(512, false, 4.2));
  private static final List<Target> REDIS_TARGETS =
      List.of(new Target(1, true, 0.8), new Target(64, true, 0.8));

  /** What is measured of a contestant with a number of callers. */
  private interface Measured {
    Series of(Contestant<IdempotentReceiver> contestant, int callers);
  }

  static Report postgres(Session session) throws Exception {
    SpeedTable table = SpeedTable.of(session, "load", "New keys: claim + complete on PostgreSQL");
    try (BenchDatabase database = session.databaseOfOnce("load");
        Receivers receivers = Receivers.on(database, Sample.TERMS.lease())) {
      new KeysBenchmark(table, receivers, database.clocks(), database::settle)
          .execute(POSTGRES_TARGETS);
    }
    return table.report();
  }

  static Report redis(Session session) throws Exception {
    SpeedTable table = SpeedTable.of(session, "redis", "New keys: claim + complete on Redis");
    BenchRedis redis = new BenchRedis(session.servers().redis().uri());
    try (Receivers receivers = Receivers.on(redis, Sample.TERMS.lease())) {
      new KeysBenchmark(table, receivers, redis.clocks(), () -> {}).execute(REDIS_TARGETS);
    }
    return new Report(
        "%s One connection each, through Lettuce; Redis with `%s`, the same for all."
            .formatted(session.describeRounds(), Servers.describeRedis()),
        List.of(table.table()));
  }

  static Report replay(Session session) throws Exception {
    SpeedTable table =
        SpeedTable.of(session, "replay", "Done keys: what a duplicate costs on PostgreSQL");
    try (BenchDatabase database = session.databaseOfOnce("replay");
        Receivers receivers = Receivers.on(database, Sample.TERMS.lease())) {
      session.say("replay: every contestant executes %d keys".formatted(COMPLETED_KEYS));
      new KeysBenchmark(table, receivers, database.clocks(), database::settle).replay();
    }
    return table.report();
  }

  private void execute(List<Target> targets) throws Exception {
    compare(
        "new keys",
        targets,
        (it, callers) ->
            series(it, callers, () -> it.work().execute(Sample.newKey()))
                .counting(it.work().done(), 1));
  }

  private void replay() throws Exception {
    List<String> keys = Sample.newKeys(COMPLETED_KEYS);
    for (Contestant<IdempotentReceiver> contestant : receivers.all()) {
      for (String key : keys) {
        contestant.work().execute(key);
      }
    }
    compare(
        "replays",
        List.of(),
        (it, callers) ->
            series(it, callers, () -> it.work().replay(Sample.anyOf(keys)))
                .counting(it.work().done(), 0) // No replay executes the effect again.
                .noting(it.work().replayNote()));
  }

  private Series series(Contestant<?> contestant, int callers, Session.Call call) {
    return table.session().series(contestant, callers, clocks, call);
  }

  private void compare(String work, List<Target> targets, Measured measured) throws Exception {
    for (int callers : table.session().settings().callers()) {
      List<Series> all = new ArrayList<>();
      receivers.all().forEach(it -> all.add(measured.of(it, callers)));
      table.compare(callers, settle, new SpeedTable.Contest(work, SpeedTable.NO_AIM, all));
      targets.stream()
          .filter(it -> it.callers == callers)
          .forEach(it -> table.add(finding(it, all)));
    }
  }

  private Finding finding(Target target, List<Series> all) {
    Series once = all.get(0);
    Series best =
        all.stream()
            .filter(it -> !it.isOnce() && it.name().startsWith("by hand") == target.isByHand)
            .min(Comparator.comparingDouble(once::over))
            .orElseThrow();
    return Finding.atLeast(
        target.ratio,
        "%s: claim + complete, callers: %d".formatted(table.part(), target.callers),
        (target.isByHand ? "" : "best peer: ") + best.name(),
        once.over(best));
  }
}
