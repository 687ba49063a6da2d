package dev.once.redis;

import dev.once.testkit.RecordStoreContract;
import dev.once.testkit.TestRedis;
import org.junit.jupiter.api.AfterAll;

class RedisRecordStoreTest extends RecordStoreContract implements RedisUnderTest {
  private static final TestStores STORES = new TestStores(TestRedis.shared(), "contract");

  @Override
  public TestStores stores() {
    return STORES;
  }

  @AfterAll
  static void close() {
    STORES.close();
  }
}
