package dev.once.bench;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.time.Duration;
import java.util.List;

/**
 * All that perform effects once per key on the same server; the others are compared with the first.
 *
 * @param closing closes what they have opened; the caller closes the servers
 */
record Receivers(List<Contestant<IdempotentReceiver>> all, Runnable closing)
    implements AutoCloseable {
  static Receivers on(BenchDatabase database, Duration lease) {
    Once once = Once.over(JdbcRecordStore.over(database.pool()));
    return new Receivers(
        List.of(
            OnceStore.jdbc(database, lease),
            OnceRun.alone(once, database, lease),
            OnceRun.inTransaction(once, database),
            ByHand.contestant(database, lease),
            Camel.jdbc(database),
            SpringIntegration.jdbc(database),
            Pattern.getThenInsert(database),
            Pattern.deleteThenInsert(database, lease),
            Pattern.insertFirst(database),
            Pattern.upsertWithPredicate(database, lease)),
        once::close);
  }

  static Receivers on(BenchRedis redis, Duration lease) {
    return new Receivers(
        List.of(
            OnceStore.redis(redis, lease),
            RedisByHand.contestant(redis, lease),
            Camel.redis(redis),
            SpringIntegration.redis(redis),
            Jdempotent.contestant(redis)),
        redis::close);
  }

  @Override
  public void close() {
    closing.run();
  }
}
