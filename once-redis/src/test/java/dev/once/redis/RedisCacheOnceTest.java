package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Sealing;
import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordStore;
import dev.once.testkit.OnceContract;
import dev.once.testkit.TestRedis;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The same with Redis alone: what another node has executed is all that it finds. */
@Tag("any-jdk")
@Execution(ExecutionMode.CONCURRENT) // It waits for leases.
@ResourceLock("RedisCacheOnceTest")
class RedisCacheOnceTest extends OnceContract {
  private static final CachedDatabase DATABASE = new CachedDatabase("far", TestRedis.shared());
  private static final RedisCache CACHE = DATABASE.newRedisCache(Sealing.NONE);

  @Override
  public RecordStore store() {
    return DATABASE.store();
  }

  @Override
  public OutcomeCache cache() {
    return CACHE;
  }

  @Override
  public void elapse(Duration time) {
    DATABASE.elapse(time);
  }

  @AfterAll
  static void close() {
    assertThat(CACHE.stats().hits()).as("answers that came from there").isPositive();
    DATABASE.close();
  }
}
