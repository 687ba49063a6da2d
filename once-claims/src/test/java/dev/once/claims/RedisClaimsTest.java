package dev.once.claims;

import dev.once.redis.RedisRecordStore;
import dev.once.spi.RecordStore;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AfterAll;

class RedisClaimsTest extends ClaimsContract {
  private static final RedisRecordStore STORE =
      RedisRecordStore.connect(RedisURI.create(TestRedis.shared().uri()));

  @AfterAll
  static void close() {
    STORE.close();
  }

  @Override
  RecordStore store() {
    return STORE;
  }
}
