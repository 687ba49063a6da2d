package dev.once.redis;

import dev.once.testkit.OnceContract;
import dev.once.testkit.TestRedis;
import org.junit.jupiter.api.AfterAll;

class RedisOnceTest extends OnceContract implements RedisUnderTest {
  private static final TestStores STORES = new TestStores(TestRedis.shared(), "engine");

  @Override
  public TestStores stores() {
    return STORES;
  }

  @AfterAll
  static void close() {
    STORES.close();
  }
}
