package dev.once.bench;

import dev.once.bench.SpeedTable.Contest;
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

  /**
   * Without the filter, keys are ignored and nothing is claimed. Jobs are enqueued as in others.
   */
  private static final String WITHOUT_ONCE =
      "--spring.autoconfigure.exclude=dev.once.spring.OnceWebAutoConfiguration";

  static Report run(Session session) throws Exception {
    session.say("http: starting the planning service in 4 variants");
    try (PlanningService without = new PlanningService(session, WITHOUT_ONCE);
        PlanningService transactional = new PlanningService(session, "--once.mode=transactional");
        PlanningService leased = new PlanningService(session, "--once.mode=leased");
        // Transactional, too. An outcome stays in the cache for as long as the benchmark takes; by
        // default that is a minute, which is over before replays are measured.
        PlanningService cached =
            new PlanningService(session, "--once.cache.enabled=true", "--once.cache.max-age=1d")) {
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
    Table created = compare("http, new keys", "POST missions, each with a new key", this::creating);
    String title = "POST missions again, beside a static answer of the same service";
    Table replayed = compare("http, replays", title, this::replaying);
    String shared =
        " A service per variant and PostgreSQL share them, too; one service works at a time. ";
    String setting = session.describe() + shared + session.describeWarmUp(WARM_UP_ROUNDS, callers);
    return new Report(setting, List.of(created, replayed));
  }

  private Table compare(String kind, String title, IntFunction<List<Contest>> contests)
      throws Exception {
    SpeedTable table = SpeedTable.of(session, kind, title);
    Runnable settle = () -> services().forEach(PlanningService::settle);
    table.compareWarm(WARM_UP_ROUNDS, callers, settle, contests);
    return table.table();
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
        replaying("transactional", REPLAY_AIM, transactional, replays(transactional, count), count),
        replaying("leased", REPLAY_AIM, leased, replays(leased, count), count),
        replaying(
            "from the near cache",
            CACHED_REPLAY_AIM,
            cached,
            replays(cached, count).counting(cached::cacheHits, 1),
            count));
  }

  private Contest replaying(
      String mode, double aim, PlanningService service, Series replays, int count) {
    Series constants =
        session.series("a static answer", count, service.clocks(), service::constant);
    return new Contest(mode, aim, replays, constants.counting(service::missions, 0));
  }

  private Series replays(PlanningService service, int count) {
    List<String> keys = service.keys();
    return session
        .series("Once", count, service.clocks(), () -> service.replay(Sample.anyOf(keys)))
        .counting(service::missions, 0);
  }
}
