package dev.once.redis;

import dev.once.testkit.OnceContract;
import dev.once.testkit.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Execution(ExecutionMode.CONCURRENT) // It waits for leases.
@ResourceLock("RedisOnceTest")
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
