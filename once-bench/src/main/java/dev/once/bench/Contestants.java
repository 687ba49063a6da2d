package dev.once.bench;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * The contestants of a comparison; the others are compared with the first one.
 *
 * @param engine closes what the contestants have started; the caller closes the servers
 */
record Contestants(List<Contestant> all, AutoCloseable engine) implements AutoCloseable {
  /** Returns the contestants on PostgreSQL. */
  static Contestants on(BenchDatabase database, Duration lease) {
    Once once = Once.over(JdbcRecordStore.over(database.pool()));
    return new Contestants(
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
        once);
  }

  /** Returns the contestants on Redis. */
  static Contestants on(BenchRedis redis, Duration lease) {
    return new Contestants(
        List.of(
            OnceStore.redis(redis, lease),
            RedisByHand.contestant(redis, lease),
            Camel.redis(redis),
            SpringIntegration.redis(redis),
            Jdempotent.contestant(redis)),
        redis);
  }

  List<Series> series(Function<Contestant, Series> toSeries) {
    return all.stream().map(toSeries).toList();
  }

  @Override
  public void close() {
    try {
      engine.close();
    } catch (Exception e) {
      throw new IllegalStateException("the contestants do not end", e);
    }
  }
}
