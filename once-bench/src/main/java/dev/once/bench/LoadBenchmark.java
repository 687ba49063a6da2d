package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.util.List;

/** Measures new keys on PostgreSQL for all contestants. */
final class LoadBenchmark implements Benchmark {
  private static final List<Target> TARGETS =
      List.of(
          new Target(1, Contestant.Role.BY_HAND, 1.0),
          new Target(64, Contestant.Role.PEER, 1.5),
          new Target(512, Contestant.Role.PEER, 4.2));

  private final EmbeddedPostgres server;

  LoadBenchmark(EmbeddedPostgres server) {
    this.server = server;
  }

  @Override
  public Report run(Settings settings, Progress progress) {
    try (BenchDatabase database =
            BenchDatabase.withSchema(server.newDatabase("load"), settings.connections());
        Contestants contestants = Contestants.on(database, Sample.TERMS.lease())) {
      NewKeys keys =
          new NewKeys("PostgreSQL", contestants, TARGETS, database::settle, database.clocks());
      return new Report(settings.describe(), keys.run("load", settings, progress));
    }
  }
}
