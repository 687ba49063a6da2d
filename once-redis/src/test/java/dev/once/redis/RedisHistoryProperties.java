package dev.once.redis;

import dev.once.testkit.RecordHistoryProperties;
import dev.once.testkit.TestRedis;
import net.jqwik.api.lifecycle.AfterContainer;

class RedisHistoryProperties extends RecordHistoryProperties implements RedisUnderTest {
  private static final TestStores STORES = new TestStores(TestRedis.shared(), "history");

  @Override
  public TestStores stores() {
    return STORES;
  }

  @AfterContainer
  static void close() {
    STORES.close();
  }
}
