package dev.once.redis;

import dev.once.spi.RecordStore;
import dev.once.testkit.StoreUnderTest;
import java.time.Duration;

/** How the contracts reach the store on Redis. */
interface RedisUnderTest extends StoreUnderTest {
  TestStores stores();

  @Override
  default RecordStore store() {
    return stores().store();
  }

  @Override
  default RecordStore otherStore() {
    return stores().otherStore();
  }

  @Override
  default void elapse(Duration time) {
    stores().elapse(time);
  }

  @Override
  default boolean forgetsByItself() {
    return true;
  }
}
