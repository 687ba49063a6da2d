package dev.once.bench;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.time.Duration;
import java.util.List;

/**
 * The contestants of a comparison; the others are compared with the first one.
 *
 * @param own closes what the contestants have started; the caller closes the servers
 */
record Contestants(List<Contestant> all, AutoCloseable own) implements AutoCloseable {
  /** Returns the contestants on PostgreSQL. */
  static Contestants on(BenchDatabase database, Duration lease) {
    Once once = Once.over(JdbcRecordStore.over(database.pool()));
    return new Contestants(
        List.of(
            new OnceStore(database, lease),
            new OnceEngine(database, once, lease),
            new OnceInTransaction(database, once),
            new ByHand(database, lease),
            new Camel(database),
            new SpringIntegration(database),
            new GetThenInsert(database),
            new DeleteThenInsert(database, lease),
            new InsertFirst(database),
            new UpsertWithPredicate(database, lease)),
        once);
  }

  /** Returns the contestants on Redis. */
  static Contestants on(BenchRedis redis, Duration lease) {
    return new Contestants(
        List.of(
            new OnceRedis(redis, lease),
            new RedisByHand(redis, lease),
            new CamelRedis(redis),
            new SpringIntegrationRedis(redis),
            new Jdempotent(redis)),
        redis);
  }

  @Override
  public void close() {
    try {
      own.close();
    } catch (Exception e) {
      throw new IllegalStateException("the contestants do not end", e);
    }
  }
}
