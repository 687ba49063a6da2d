package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.util.List;

/** Replays. */
final class NearCacheBenchmark implements Benchmark {
  NearCacheBenchmark(EmbeddedPostgres server) {}

  @Override
  public Report run(Settings settings, Progress progress) {
    return new Report("", List.of());
  }
}
