package dev.once.bench;

import java.util.Locale;
import java.util.function.Consumer;

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
  GATEWAY,
  JOBS,
  FLOW,
  STEPS,
  INBOX,
  EVENTS,
  CLIENT;

  /** For parts that measure more than a store: more callers add no information. */
  static final int MAX_CALLERS = 64;

  /** Returns the name, which the command line reads. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Report run(Settings settings, Consumer<String> progress) throws Exception {
    try (Servers servers = Servers.durable(walLevel(), libraries())) {
      return run(new Session(settings, servers, progress));
    }
  }

  Report run(Session session) throws Exception {
    return switch (this) {
      case LOAD -> KeysBenchmark.postgres(session);
      case REDIS -> KeysBenchmark.redis(session);
      case CORRECTNESS -> CorrectnessBenchmark.run(session);
      case REPLAY -> KeysBenchmark.replay(session);
      case NEAR_CACHE -> NearCacheBenchmark.run(session);
      case SCALE -> ScaleBenchmark.run(session);
      case FINGERPRINT -> FingerprintBenchmark.run(session);
      case HTTP -> HttpBenchmark.run(session);
      case GATEWAY -> GatewayBenchmark.run(session);
      case JOBS -> JobsBenchmark.run(session);
      case FLOW -> FlowBenchmark.run(session);
      case STEPS -> StepsBenchmark.run(session);
      case INBOX -> InboxBenchmark.run(session);
      case EVENTS -> EventsBenchmark.run(session);
      case CLIENT -> ClientBenchmark.run(session);
    };
  }

  /**
   * Debezium reads PostgreSQL's log, which has to say more for that; the other parts do not pay.
   */
  String walLevel() {
    return this == EVENTS ? "logical" : "replica";
  }

  /** What PostgreSQL loads: statistics of statements cost time, so the other parts have none. */
  String libraries() {
    return this == FLOW ? "pg_stat_statements" : "";
  }
}
