package dev.once.bench;

import java.util.Locale;
import java.util.function.Consumer;

/** The benchmarks by their names on the command line and in the Markdown file. */
enum Part {
  LOAD(KeysBenchmark::postgres),
  REDIS(KeysBenchmark::redis),
  CORRECTNESS(CorrectnessBenchmark::run),
  REPLAY(KeysBenchmark::replay),
  NEAR_CACHE(NearCacheBenchmark::run),
  SCALE(ScaleBenchmark::run),
  FINGERPRINT(FingerprintBenchmark::run),
  HTTP(HttpBenchmark::run),
  JOBS(JobsBenchmark::run),
  STEPS(StepsBenchmark::run),
  INBOX(InboxBenchmark::run),
  EVENTS(EventsBenchmark::run),
  CLIENT(ClientBenchmark::run);

  /** For parts that measure more than a store: more callers add no information. */
  static final int MAX_CALLERS = 64;

  private final Benchmark benchmark;

  Part(Benchmark benchmark) {
    this.benchmark = benchmark;
  }

  private interface Benchmark {
    Report run(Session session) throws Exception;
  }

  /** Returns the name, which the command line reads. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Report run(Settings settings, Consumer<String> progress) throws Exception {
    try (Servers servers = Servers.durable(walLevel())) {
      return run(new Session(settings, servers, progress));
    }
  }

  Report run(Session session) throws Exception {
    return benchmark.run(session);
  }

  /**
   * Debezium reads PostgreSQL's log, which has to say more for that; the other parts do not pay.
   */
  String walLevel() {
    return this == EVENTS ? "logical" : "replica";
  }
}
