package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.TestRedis;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The servers of a benchmark, started when it first asks for them. */
final class Servers implements AutoCloseable {
  /** Redis flushes every write to the disk before it answers. */
  private static final String[] DURABLE_REDIS = {"appendonly yes", "appendfsync always"};

  private final Supplier<EmbeddedPostgres> startPostgres;
  private final Supplier<TestRedis> startRedis;
  private @Nullable EmbeddedPostgres postgres;
  private @Nullable TestRedis redis;
  private @Nullable BenchKafka kafka;

  Servers(Supplier<EmbeddedPostgres> startPostgres, Supplier<TestRedis> startRedis) {
    this.startPostgres = startPostgres;
    this.startRedis = startRedis;
  }

  /**
   * Returns servers that flush every commit to the disk.
   *
   * @param walLevel what PostgreSQL writes to its log
   * @param libraries what it loads when it starts
   */
  static Servers durable(String walLevel, String libraries) {
    return new Servers(
        () -> startDurablePostgres(walLevel, libraries), () -> TestRedis.start(DURABLE_REDIS));
  }

  private static EmbeddedPostgres startDurablePostgres(String walLevel, String libraries) {
    return EmbeddedPostgres.builder()
        .durable()
        .setting("shared_preload_libraries", libraries)
        .setting("wal_level", walLevel)
        // Room for the hot part of a large table, and no checkpoint in the middle of a round: it
        // would slow down one contestant only.
        .setting("shared_buffers", "1GB")
        .setting("max_wal_size", "16GB")
        .setting("checkpoint_timeout", "30min")
        .start();
  }

  EmbeddedPostgres postgres() {
    if (postgres == null) {
      postgres = startPostgres.get();
    }
    return postgres;
  }

  TestRedis redis() {
    if (redis == null) {
      redis = startRedis.get();
    }
    return redis;
  }

  BenchKafka kafka() {
    if (kafka == null) {
      kafka = new BenchKafka();
    }
    return kafka;
  }

  static String describeRedis() {
    return String.join(", ", DURABLE_REDIS);
  }

  @Override
  public void close() {
    if (kafka != null) {
      kafka.close();
    }
    if (redis != null) {
      redis.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }
}
