package dev.once.bench;

import java.util.List;

/** Measures new keys on Redis for all contestants. */
final class RedisBenchmark implements Benchmark {
  private static final double NEAR = 0.8;
  private static final List<Target> TARGETS =
      List.of(
          new Target(1, Contestant.Role.BY_HAND, NEAR),
          new Target(64, Contestant.Role.BY_HAND, NEAR));

  private final String uri;
  private final String persistence;

  /**
   * @param uri of an empty Redis
   * @param persistence its persistence settings
   */
  RedisBenchmark(String uri, String persistence) {
    this.uri = uri;
    this.persistence = persistence;
  }

  @Override
  public Report run(Settings settings, Progress progress) {
    BenchRedis redis = new BenchRedis(uri);
    try (Contestants contestants = Contestants.on(redis, Sample.TERMS.lease())) {
      NewKeys keys = new NewKeys("Redis", contestants, TARGETS, () -> {}, redis.clocks());
      return new Report(
          "%s One connection each, through Lettuce; Redis with `%s`, the same for all."
              .formatted(settings.describeRounds(), persistence),
          keys.run("redis", settings, progress));
    }
  }
}
