package dev.once.bench;

import dev.once.bench.SpeedTable.Contest;
import dev.once.embedded.EmbeddedPostgres;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The planning service over HTTP: new missions compared with the same service without Once, and
 * replays compared with a static response of the same service.
 */
record HttpBenchmark(
    Session session,
    List<Integer> callers,
    PlanningService without,
    PlanningService transactional,
    PlanningService leased,
    PlanningService cached) {
  private static final double TRANSACTIONAL_AIM = 0.85;
  private static final double LEASED_AIM = 0.7;

  /** For replays from PostgreSQL. */
  private static final double REPLAY_AIM = 0.6;

  private static final double CACHED_REPLAY_AIM = 0.9;

  /** The variant with a cache is not measured with new keys, and needs some to replay. */
  private static final int CACHED_KEYS = 1000;

  /** With rounds of a second, a Spring application is compiled by the JIT after this many. */
  private static final int WARM_UP_ROUNDS = 25;

  static Report run(Session session) throws Exception {
    EmbeddedPostgres server = session.servers().postgres();
    Settings settings = session.settings();
    session.say("http: starting the planning service in 4 variants");
    try (PlanningService without =
            new PlanningService(server, settings, PlanningService.WITHOUT_ONCE);
        PlanningService transactional =
            new PlanningService(server, settings, PlanningService.TRANSACTIONAL);
        PlanningService leased = new PlanningService(server, settings, PlanningService.LEASED);
        PlanningService cached =
            new PlanningService(server, settings, PlanningService.NEAR_CACHE)) {
      List<Integer> callers = session.callersUpTo(Part.MAX_CALLERS);
      return new HttpBenchmark(session, callers, without, transactional, leased, cached).measure();
    }
  }

  private List<PlanningService> services() {
    return List.of(without, transactional, leased, cached);
  }

  private Report measure() throws Exception {
    for (PlanningService service : services()) {
      service.open();
    }
    for (int i = 0; i < CACHED_KEYS; i++) {
      cached.create();
    }
    List<Table> tables =
        List.of(
            compare("http, new keys", "POST missions, each with a new key", this::creating),
            compare(
                "http, replays",
                "POST missions again, beside a static answer of the same service",
                this::replaying));
    return new Report(
        "%s A service per variant and PostgreSQL share them, too; one service works at a time. %s"
            .formatted(session.describe(), describeWarmUp()),
        tables);
  }

  private String describeWarmUp() {
    return "Warm-up: %.1f s per contestant with %d callers, then %d rounds with each number of callers."
        .formatted(
            WARM_UP_ROUNDS * session.settings().seconds(),
            Collections.max(callers),
            SpeedTable.Rounds.SHORT.warmUps);
  }

  private List<Contest> creating(int count) {
    Series bare = creating(without, "the same service without Once", count);
    return List.of(
        new Contest(
            "transactional", TRANSACTIONAL_AIM, creating(transactional, "Once", count), bare),
        new Contest("leased", LEASED_AIM, creating(leased, "Once", count), bare));
  }

  private Series creating(PlanningService service, String name, int count) {
    return session
        .series(name, count, service.clocks(), service::create)
        .counting(service::missions, 1);
  }

  private List<Contest> replaying(int count) {
    return List.of(
        replaying("transactional", REPLAY_AIM, transactional, count),
        replaying("leased", REPLAY_AIM, leased, count),
        new Contest(
            "from the near cache",
            CACHED_REPLAY_AIM,
            replays(cached, count).counting(cached::cacheHits, 1),
            constants(cached, count)));
  }

  private Contest replaying(String mode, double aim, PlanningService service, int count) {
    return new Contest(
        mode,
        aim,
        replays(service, count).counting(service::missions, 0),
        constants(service, count));
  }

  private Series replays(PlanningService service, int count) {
    List<String> keys = service.keys();
    return session.series(
        "Once", count, service.clocks(), () -> service.replay(Sample.anyOf(keys)));
  }

  private Series constants(PlanningService service, int count) {
    return session
        .series("a static answer", count, service.clocks(), service::constant)
        .counting(service::missions, 0);
  }

  /** Measures contests with each number of callers. */
  private Table compare(String kind, String title, IntFunction<List<Contest>> contests)
      throws Exception {
    SpeedTable table = SpeedTable.of(session, kind, title);
    List<Series> all = SpeedTable.seriesOf(contests.apply(Collections.max(callers)));
    Series.takeTurns(all, kind, WARM_UP_ROUNDS, 0, () -> {}, session.progress());
    for (int count : callers) {
      table.compare(count, this::settle, contests.apply(count).toArray(Contest[]::new));
    }
    return table.table();
  }

  private void settle() {
    services().forEach(PlanningService::settle);
  }
}
