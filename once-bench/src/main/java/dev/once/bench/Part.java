package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.TestRedis;
import java.io.IOException;
import java.util.Locale;

/** The benchmarks by their names on the command line and in the Markdown file. */
enum Part {
  LOAD,
  REDIS,
  CORRECTNESS,
  REPLAY,
  NEAR_CACHE,
  SCALE,
  FINGERPRINT,
  HTTP,
  JOBS,
  JOBS_SCALE,
  STEPS,
  INBOX;

  /** For parts that measure more than a store: more callers add no information. */
  private static final int MAX_CALLERS = 64;

  private static final String APPEND_ONLY = "appendonly yes";
  private static final String FLUSHED = "appendfsync always";

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Checks that the files it needs exist, before any part is measured. */
  void requireReady(Settings settings) throws IOException {
    if (this == HTTP) {
      PlanningJar.find(settings.service());
    }
  }

  /** Runs the benchmark, on its own servers if it needs any. */
  Report run(Settings settings, Progress progress) throws Exception {
    if (this == FINGERPRINT) {
      return new FingerprintBenchmark().run(settings, progress);
    }
    if (this == REDIS) {
      try (TestRedis redis = durableRedis()) {
        return redisBenchmark(redis).run(settings, progress);
      }
    }
    try (EmbeddedPostgres server = durableServer()) {
      return onServer(server).run(settings, progress);
    }
  }

  private Benchmark onServer(EmbeddedPostgres server) {
    return switch (this) {
      case LOAD -> new LoadBenchmark(server);
      case CORRECTNESS -> new CorrectnessBenchmark(server, Part::durableRedis);
      case REPLAY -> new ReplayBenchmark(server);
      case NEAR_CACHE -> new NearCacheBenchmark(server);
      case SCALE -> new ScaleBenchmark(server);
      case HTTP -> few(new HttpBenchmark(server));
      case JOBS -> few(new JobsBenchmark(server));
      case JOBS_SCALE -> few(new JobScaleBenchmark(server));
      case STEPS -> few(new StepsBenchmark(server));
      case INBOX -> few(new InboxBenchmark(server));
      case FINGERPRINT, REDIS -> throw new AssertionError("needs no server");
    };
  }

  private static Benchmark few(Benchmark benchmark) {
    return (settings, progress) -> benchmark.run(settings.upTo(MAX_CALLERS), progress);
  }

  private static Benchmark redisBenchmark(TestRedis redis) {
    return new RedisBenchmark(redis.uri(), APPEND_ONLY + ", " + FLUSHED);
  }

  /** A Redis that flushes every write to the disk before it answers. */
  private static TestRedis durableRedis() {
    return TestRedis.start(APPEND_ONLY, FLUSHED);
  }

  /** A server that flushes every commit to the disk. */
  private static EmbeddedPostgres durableServer() {
    return EmbeddedPostgres.builder()
        .durable()
        // Room for the hot part of a large table, and no checkpoint in the middle of a round: it
        // would slow down one contestant only.
        .setting("shared_buffers", "1GB")
        .setting("max_wal_size", "16GB")
        .setting("checkpoint_timeout", "30min")
        .start();
  }
}
