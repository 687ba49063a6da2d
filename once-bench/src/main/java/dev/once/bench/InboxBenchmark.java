package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.util.List;

/** Compares Once's inbox for webhooks with Eventuate Tram's duplicate detector. */
final class InboxBenchmark implements Benchmark {
  private final EmbeddedPostgres server;

  InboxBenchmark(EmbeddedPostgres server) {
    this.server = server;
  }

  @Override
  public Report run(Settings settings, Progress progress) throws Exception {
    try (BenchDatabase database =
        new BenchDatabase(server.newDatabase("inbox"), settings.connections())) {
      OnceInbox.createTables(database);
      Eventuate.createTables(database);
      try (OnceInbox once = new OnceInbox(database)) {
        Eventuate keeping = new Eventuate(database, true);
        Eventuate bare = new Eventuate(database, false);
        List<InboxContestant> contestants = List.of(once.standard(), once.custom(), keeping, bare);
        Table events = new InboxSpeed(database, contestants).run(settings, progress);
        Table batches = new InboxBatches(database, once, keeping).run(settings, progress);
        return new Report(settings.describe(), List.of(events, batches));
      }
    }
  }
}
