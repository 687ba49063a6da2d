package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.util.ArrayList;
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
    PlanningService leased) {
  private static final double TRANSACTIONAL_AIM = 0.85;
  private static final double LEASED_AIM = 0.6;

  /** Replays come from PostgreSQL: the service has no cache of responses. */
  private static final double REPLAY_AIM = 0.6;

  /** With rounds of a second, a Spring application is compiled by the JIT after this many. */
  private static final int WARM_UP_ROUNDS = 25;

  /** Work with Once, the work that it is compared with, and the least ratio of their speeds. */
  private record Pair(String work, Series once, Series other, double aim) {}

  static Report run(Session session) throws Exception {
    EmbeddedPostgres server = session.servers().postgres();
    Settings settings = session.settings();
    session.say("http: starting the planning service in 3 variants");
    try (PlanningService without =
            new PlanningService(server, settings, PlanningService.WITHOUT_ONCE);
        PlanningService transactional =
            new PlanningService(server, settings, PlanningService.TRANSACTIONAL);
        PlanningService leased = new PlanningService(server, settings, PlanningService.LEASED)) {
      List<Integer> callers = session.callersUpTo(Part.MAX_CALLERS);
      return new HttpBenchmark(session, callers, without, transactional, leased).measure();
    }
  }

  private Report measure() throws Exception {
    for (PlanningService service : List.of(without, transactional, leased)) {
      service.open();
    }
    List<Table> tables =
        List.of(
            compare(
                "POST missions, each with a new key",
                "without Once",
                "http, new keys",
                "the same service without Once",
                this::creating),
            compare(
                "POST missions again, beside a static answer of the same service",
                "static 200",
                "http, replays",
                "a static answer of the same service",
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
            Session.WARM_UP_ROUNDS);
  }

  private List<Pair> creating(int count) {
    Series bare = creating(without, "without", count);
    return List.of(
        new Pair(
            "Once, transactional",
            creating(transactional, "transactional", count),
            bare,
            TRANSACTIONAL_AIM),
        new Pair("Once, leased", creating(leased, "leased", count), bare, LEASED_AIM));
  }

  private Series creating(PlanningService service, String name, int count) {
    return session
        .series(name, count, service.clocks(), service::create)
        .counting(service::missions, 1);
  }

  private List<Pair> replaying(int count) {
    List<Pair> pairs = new ArrayList<>(replaying("Once, transactional", transactional, count));
    pairs.addAll(replaying("Once, leased", leased, count));
    return pairs;
  }

  private List<Pair> replaying(String label, PlanningService service, int count) {
    List<String> keys = service.keys();
    String one = Sample.anyOf(keys);
    Series constant = reading(service, label + ", static", count, service::constant);
    Series same = reading(service, label + ", same key", count, () -> service.replay(one));
    Series any =
        reading(service, label + ", any key", count, () -> service.replay(Sample.anyOf(keys)));
    return List.of(
        new Pair(label + ", always the same key", same, constant, REPLAY_AIM),
        new Pair(label + ", any key", any, constant, REPLAY_AIM));
  }

  /** Returns work that creates no mission. */
  private Series reading(PlanningService service, String name, int count, Session.Work work) {
    return session.series(name, count, service.clocks(), work).counting(service::missions, 0);
  }

  /**
   * Measures pairs of series with each number of callers.
   *
   * @param beside the name of the other work in the columns
   * @param kind the kind of all work in the table
   * @param against the other work, in the findings
   */
  private Table compare(
      String title, String beside, String kind, String against, IntFunction<List<Pair>> pairs)
      throws Exception {
    String cpu = "CPU µs/call: callers / service / PostgreSQL";
    Table table =
        new Table(
                title,
                ("work | callers | %1$s, calls/s | Once, calls/s | ratio | in rounds | aim | met"
                        + " | %1$s, p50 / p99 ms | Once, p50 / p99 ms | %1$s, %2$s | Once, %2$s")
                    .formatted(beside, cpu))
            .charted(Chart.RATIO, "work", "callers");
    new Comparison(kind, WARM_UP_ROUNDS, 0, session.progress())
        .run(seriesOf(pairs.apply(Collections.max(callers))), () -> {});
    for (int count : callers) {
      List<Pair> measured = pairs.apply(count);
      session.compare(kind, count, seriesOf(measured), this::settle);
      measured.forEach(it -> addRow(table, it, kind, against, count));
    }
    return table;
  }

  private void settle() {
    List.of(without, transactional, leased).forEach(PlanningService::settle);
  }

  /** Returns all series without repetition: several pairs may have the same other work. */
  private static List<Series> seriesOf(List<Pair> pairs) {
    List<Series> all = new ArrayList<>();
    for (Pair pair : pairs) {
      if (!all.contains(pair.other)) {
        all.add(pair.other);
      }
      all.add(pair.once);
    }
    return all;
  }

  private static void addRow(Table table, Pair pair, String kind, String against, int count) {
    table.row(
        pair.work,
        count,
        pair.other.callsPerSecond(),
        pair.once.callsPerSecond(),
        pair.once.ratioTo(pair.other),
        Finding.atLeast(
            pair.aim,
            "%s, %s, callers: %d".formatted(kind, pair.work, count),
            against,
            pair.once.over(pair.other)),
        latency(pair.other),
        latency(pair.once),
        Table.joined(pair.other.cpuMicros()),
        Table.joined(pair.once.cpuMicros()));
  }

  private static String latency(Series series) {
    return "%.2f / %.2f".formatted(series.p50Millis(), series.p99Millis());
  }
}
