package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Locale;

/** The benchmarks by their names on the command line and in the Markdown file. */
enum Part {
  LOAD,
  REPLAY,
  SCALE,
  FINGERPRINT,
  HTTP,
  JOBS,
  JOBS_SCALE,
  STEPS,
  INBOX;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Makes sure that everything is there that it needs, before anybody spends time on others. */
  void requireReady(Settings settings) throws IOException {
    if (this == HTTP) {
      PlanningJar.find(settings.service());
    }
  }

  /** Runs the benchmark, on a server of its own if it needs one. */
  Report run(Settings settings, Progress progress) throws Exception {
    if (this == FINGERPRINT) {
      return new FingerprintBenchmark().run(settings, progress);
    }
    try (EmbeddedPostgres server = durableServer()) {
      return onServer(server).run(settings, progress);
    }
  }

  private Benchmark onServer(EmbeddedPostgres server) {
    return switch (this) {
      case LOAD -> new LoadBenchmark(server);
      case REPLAY -> new ReplayBenchmark(server);
      case SCALE -> new ScaleBenchmark(server);
      case HTTP -> new HttpBenchmark(server);
      case JOBS -> new JobsBenchmark(server);
      case JOBS_SCALE -> new JobScaleBenchmark(server);
      case STEPS -> new StepsBenchmark(server);
      case INBOX -> new InboxBenchmark(server);
      case FINGERPRINT -> throw new AssertionError("needs no server");
    };
  }

  /** A server that flushes every commit to the disk. */
  private static EmbeddedPostgres durableServer() {
    return EmbeddedPostgres.builder()
        .durable()
        // Room for the hot part of a large table, and no checkpoint in the middle of a round: it
        // would hit whoever's turn it is.
        .setting("shared_buffers", "1GB")
        .setting("max_wal_size", "16GB")
        .setting("checkpoint_timeout", "30min")
        .start();
  }
}
