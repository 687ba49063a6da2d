package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * The planning service over HTTP: new missions compared with the same service without Once, and
 * replays compared with a static response of the same service.
 */
final class HttpBenchmark implements Benchmark {
  private static final double TRANSACTIONAL_AIM = 0.85;
  private static final double LEASED_AIM = 0.6;

  /** Replays come from PostgreSQL: the service has no cache of responses. */
  private static final double REPLAY_AIM = 0.6;

  private final EmbeddedPostgres server;

  HttpBenchmark(EmbeddedPostgres server) {
    this.server = server;
  }

  @Override
  public Report run(Settings settings, Progress progress) throws Exception {
    progress.say(
        "http: starting the planning service in %d variants".formatted(Variant.values().length));
    try (PlanningServices services = PlanningServices.start(server, settings)) {
      Table created = created(settings, progress, services);
      services.requireMissions();
      Table replayed = replayed(settings, progress, services);
      services.requireMissions(); // No replay executed the effect again.
      return new Report(
          "%s A service per variant and PostgreSQL share them, too; one service works at a time. %s"
              .formatted(settings.describe(), describeWarmUp(settings)),
          List.of(created, replayed));
    }
  }

  private static String describeWarmUp(Settings settings) {
    return "Warm-up: %.1f s per contestant with %d callers, then %d rounds with each number of callers."
        .formatted(
            settings.httpWarmUp().toMillis() / 1e3, mostCallers(settings), Race.WARM_UP_ROUNDS);
  }

  private static int mostCallers(Settings settings) {
    return Collections.max(settings.callers());
  }

  private static Table created(Settings settings, Progress progress, PlanningServices services) {
    Table table = Contest.table("POST missions, each with a new key", "without Once");
    Supplier<List<Contest>> contests =
        () -> {
          Series without = creating(services, Variant.WITHOUT);
          return List.of(
              new Contest(
                  "Once, transactional",
                  creating(services, Variant.TRANSACTIONAL),
                  without,
                  TRANSACTIONAL_AIM),
              new Contest("Once, leased", creating(services, Variant.LEASED), without, LEASED_AIM));
        };
    race(
        "http, new keys",
        "the same service without Once",
        table,
        settings,
        progress,
        services,
        contests);
    return table;
  }

  private static Table replayed(Settings settings, Progress progress, PlanningServices services) {
    Table table =
        Contest.table(
            "POST missions again, beside a static answer of the same service", "static 200");
    Supplier<List<Contest>> contests =
        () -> {
          List<Contest> all = new ArrayList<>();
          for (Variant variant : List.of(Variant.TRANSACTIONAL, Variant.LEASED)) {
            all.addAll(replaying(variant, services.get(variant)));
          }
          return all;
        };
    race(
        "http, replays",
        "a static answer of the same service",
        table,
        settings,
        progress,
        services,
        contests);
    return table;
  }

  private static Series creating(PlanningServices services, Variant variant) {
    PlanningService service = services.get(variant);
    return metered(service, variant.label(), service::create);
  }

  private static List<Contest> replaying(Variant variant, PlanningService service) {
    DoneKeys keys = service.doneKeys();
    String one = keys.any();
    String label = "Once, " + variant.label();
    Series constant = metered(service, label + ", static", service::constant);
    Series same = metered(service, label + ", same key", () -> service.replay(one));
    Series any = metered(service, label + ", any key", () -> service.replay(keys.any()));
    return List.of(
        new Contest(label + ", always the same key", same, constant, REPLAY_AIM),
        new Contest(label + ", any key", any, constant, REPLAY_AIM));
  }

  private static Series metered(PlanningService service, String name, Work work) {
    return new Series(name, work).metered(service.clocks());
  }

  private static void race(
      String title,
      String against,
      Table table,
      Settings settings,
      Progress progress,
      PlanningServices services,
      Supplier<List<Contest>> contests) {
    Callers most = new Callers(mostCallers(settings));
    for (Series series : Contest.allSeries(contests.get())) {
      progress.say("%s: warm-up of %s".formatted(title, series.name()));
      series.warmUp(most, settings.httpWarmUp());
    }
    for (int callers : settings.callers()) {
      List<Contest> measured = contests.get();
      settings.race(callers, progress).run(title, Contest.allSeries(measured), services::settle);
      measured.forEach(it -> it.addRow(table, title, against, callers));
    }
  }
}
