package dev.once.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.InMemoryRecordStore;
import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordStore;
import dev.once.testkit.OnceContract;
import dev.once.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** An engine with a cache in memory keeps every promise that one without keeps. */
class NearCacheOnceTest extends OnceContract {
  private static final TestClock CLOCK = new TestClock();
  private static final RecordStore STORE = new InMemoryRecordStore(CLOCK);
  private static final NearCache CACHE = NearCache.builder().clock(CLOCK).build();

  @Override
  public RecordStore store() {
    return STORE;
  }

  @Override
  public OutcomeCache cache() {
    return CACHE;
  }

  @Override
  public void elapse(Duration time) {
    CLOCK.advance(time);
  }

  @AfterAll
  static void wasUsed() {
    assertThat(CACHE.stats().hits()).as("answers that came from there").isPositive();
  }
}
