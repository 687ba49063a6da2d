package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.cache.NearCache;
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

/** An engine with a cache in memory and Redis keeps every promise that one without keeps. */
@Tag("any-jdk")
@Execution(ExecutionMode.CONCURRENT) // It waits for leases.
@ResourceLock("SharedCacheOnceTest")
class SharedCacheOnceTest extends OnceContract {
  private static final CachedDatabase DATABASE = new CachedDatabase("near", TestRedis.shared());
  private static final NearCache CACHE = DATABASE.newCache();

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
    assertThat(CACHE.stats().hits()).as("answers that came from memory").isPositive();
    DATABASE.close();
  }
}
