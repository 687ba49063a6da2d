package dev.once.bench;

import dev.once.Once;
import dev.once.cache.NearCache;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import java.time.Duration;
import java.util.List;

/**
 * Replays from a cache in memory, compared with the least that an application would do without
 * Once: compute the fingerprint of the body and look the key up in a map.
 */
final class NearCacheBenchmark implements Benchmark {
  private static final double AIM = 0.5;
  private static final int BODY_BYTES = 1024;

  /** No server is involved: more callers would only wait for processors. */
  private static final int MAX_CALLERS = 16;

  private final EmbeddedPostgres server;

  NearCacheBenchmark(EmbeddedPostgres server) {
    this.server = server;
  }

  @Override
  public Report run(Settings settings, Progress progress) {
    Table table =
        new Table(
                "Replays with a body of %,d bytes, its fingerprint included".formatted(BODY_BYTES),
                "callers",
                "contestant",
                "calls/s",
                "p50 µs",
                "p99 µs",
                "Once ÷ it",
                "in rounds",
                "aim",
                "met")
            .charted("calls/s", "contestant", "callers");
    // No entry may expire between two rounds: replays do not fill the cache again.
    NearCache cache = NearCache.builder().maxAge(Duration.ofHours(12)).build();
    try (BenchDatabase database =
            BenchDatabase.withSchema(server.newDatabase("near_cache"), settings.connections());
        Once near = Once.builder(JdbcRecordStore.over(database.pool())).cache(cache).build();
        Once far = Once.over(JdbcRecordStore.over(database.pool()))) {
      progress.say("near-cache: keys are executed");
      CachedReplays replays = new CachedReplays(Bodies.order(BODY_BYTES), near);
      for (int callers : settings.upTo(MAX_CALLERS).callers()) {
        Series cached = new Series("Once.run, near cache", () -> replays.replay(near));
        Series map = new Series("by hand: HashMap", replays::lookUp);
        Series stored = new Series("Once.run, from PostgreSQL", () -> replays.replay(far));
        long hits = cache.stats().hits();
        settings
            .race(callers, progress)
            .run("near-cache", List.of(cached, map, stored), database::settle);
        requireHits(cached.calls(), cache.stats().hits() - hits);
        for (Series series : List.of(cached, map, stored)) {
          addRow(table, callers, series, cached, series.equals(map));
        }
      }
    }
    return new Report(settings.describe(), List.of(table));
  }

  private static void addRow(Table table, int callers, Series series, Series once, boolean hasAim) {
    double ratio = once.speedOver(series);
    table.row(
        callers,
        series.name(),
        series.callsPerSecond(),
        1000 * series.millisMedian(),
        1000 * series.millisSlowest(),
        ratio,
        once.speedsOver(series),
        Finding.when(
            hasAim,
            "replay, near cache, callers: " + callers,
            "HashMap lookup + fingerprint of the same body",
            ratio,
            Aim.atLeast(AIM)));
  }

  private static void requireHits(long calls, long hits) {
    if (hits != calls) {
      throw new IllegalStateException(
          "%d calls, of which memory answered %d".formatted(calls, hits));
    }
  }
}
