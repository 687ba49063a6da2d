package dev.once.bench;

import dev.once.bench.IdempotentReceiver.Role;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** All contestants call new or completed keys, with several numbers of callers. */
final class KeysBenchmark {
  private static final int COMPLETED_KEYS = 300;

  /** How fast Once must be compared with the best contestant of a role. */
  private record Target(int callers, Role against, double ratio) {}

  private static final List<Target> POSTGRES_TARGETS =
      List.of(
          new Target(1, Role.BY_HAND, 1.0),
          new Target(64, Role.PEER, 1.5),
          new Target(512, Role.PEER, 4.2));
  private static final List<Target> REDIS_TARGETS =
      List.of(new Target(1, Role.BY_HAND, 0.8), new Target(64, Role.BY_HAND, 0.8));

  private KeysBenchmark() {}

  static Report postgres(Session session) throws Exception {
    SpeedTable table = SpeedTable.of(session, "load", "New keys: claim + complete on PostgreSQL");
    try (BenchDatabase database = session.databaseOfOnce("load");
        Receivers receivers = Receivers.on(database, Sample.TERMS.lease())) {
      execute(table, receivers, database.clocks(), database::settle, POSTGRES_TARGETS);
    }
    return table.report();
  }

  static Report redis(Session session) throws Exception {
    SpeedTable table = SpeedTable.of(session, "redis", "New keys: claim + complete on Redis");
    BenchRedis redis = new BenchRedis(session.servers().redis().uri());
    try (Receivers receivers = Receivers.on(redis, Sample.TERMS.lease())) {
      execute(table, receivers, redis.clocks(), () -> {}, REDIS_TARGETS);
    }
    return new Report(
        "%s One connection each, through Lettuce; Redis with `%s`, the same for all."
            .formatted(session.describeRounds(), Servers.describeRedis()),
        List.of(table.table()));
  }

  private static void execute(
      SpeedTable table,
      Receivers receivers,
      List<CpuClock> clocks,
      Runnable settle,
      List<Target> targets)
      throws Exception {
    Session session = table.session();
    for (int callers : session.settings().callers()) {
      List<Series> all =
          receivers.series(
              it ->
                  session
                      .series(it.name(), callers, clocks, () -> it.work().execute(Sample.newKey()))
                      .counting(it.work().done(), 1)
                      .noting(it.note()));
      table.compare(callers, settle, new SpeedTable.Contest("new keys", SpeedTable.NO_AIM, all));
      targets.stream()
          .filter(it -> it.callers == callers)
          .forEach(it -> table.add(finding(table.part(), it, receivers.all(), all)));
    }
  }

  private static Finding finding(
      String part,
      Target target,
      List<Contestant<IdempotentReceiver>> contestants,
      List<Series> all) {
    Series once = all.get(0);
    Series best =
        IntStream.range(0, all.size())
            .filter(i -> contestants.get(i).work().role() == target.against)
            .mapToObj(all::get)
            .min(Comparator.comparingDouble(once::over))
            .orElseThrow();
    return Finding.atLeast(
        target.ratio,
        "%s: claim + complete, callers: %d".formatted(part, target.callers),
        (target.against == Role.PEER ? "best peer: " : "") + best.name(),
        once.over(best));
  }

  static Report replay(Session session) throws Exception {
    SpeedTable table =
        SpeedTable.of(session, "replay", "Done keys: what a duplicate costs on PostgreSQL");
    try (BenchDatabase database = session.databaseOfOnce("replay");
        Receivers receivers = Receivers.on(database, Sample.TERMS.lease())) {
      session.say("replay: every contestant executes %d keys".formatted(COMPLETED_KEYS));
      List<String> keys = Sample.newKeys(COMPLETED_KEYS);
      for (Contestant<IdempotentReceiver> contestant : receivers.all()) {
        for (String key : keys) {
          contestant.work().execute(key);
        }
      }
      List<CpuClock> clocks = database.clocks();
      for (int callers : session.settings().callers()) {
        List<Series> all =
            receivers.series(
                it ->
                    session
                        .series(
                            it.name(), callers, clocks, () -> it.work().replay(Sample.anyOf(keys)))
                        .counting(it.work().done(), 0) // No replay executes the effect again.
                        .noting(it.work().replayNote()));
        table.compare(
            callers, database::settle, new SpeedTable.Contest("replays", SpeedTable.NO_AIM, all));
      }
    }
    return table.report();
  }
}
