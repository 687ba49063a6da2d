package dev.once.redis;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Sealing;
import dev.once.cache.NearCache;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.testkit.Sql;
import dev.once.testkit.TestClock;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A database, a Redis, and caches over both, with one time that a test advances. */
final class CachedDatabase implements AutoCloseable {
  private static final String ELAPSE =
      """
      for _, name in ipairs(redis.call('KEYS', ARGV[1])) do
        local left = redis.call('PTTL', name) - tonumber(ARGV[2])
        if left <= 0 then redis.call('DEL', name) else redis.call('PEXPIRE', name, left) end
      end
      """;

  private final String environment = UUID.randomUUID().toString();
  private final TestClock clock = new TestClock();
  private final TestRedis redis;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> operator;
  private final HikariDataSource pool;
  private final JdbcRecordStore store;
  private final List<RedisCache> caches = new ArrayList<>();

  CachedDatabase(String hint, TestRedis redis) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(EmbeddedPostgres.shared().newDatabase(hint));
    config.setMaximumPoolSize(16);
    config.setMinimumIdle(0);
    this.pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    this.store = JdbcRecordStore.over(pool);
    this.redis = redis;
    this.client = RedisClient.create(redis.uri());
    this.operator = client.connect();
  }

  /** The cache of a node that has memory and Redis. */
  NearCache newCache() {
    return NearCache.builder().clock(clock).shared(newRedisCache(Sealing.NONE)).build();
  }

  /** The cache of a node that has Redis alone. */
  RedisCache newRedisCache(Sealing sealing) {
    RedisCache cache =
        RedisCache.connect(RedisURI.create(redis.uri()), environment, sealing, clock);
    caches.add(cache);
    return cache;
  }

  JdbcRecordStore store() {
    return store;
  }

  String environment() {
    return environment;
  }

  /** Advances the time of the store and all caches. */
  void elapse(Duration time) {
    new Sql(pool)
        .execute(
            """
            UPDATE once_record SET
              created_at = created_at - interval '%1$d us',
              lease_until = lease_until - interval '%1$d us',
              expires_at = expires_at - interval '%1$d us'
            """
                .formatted(time.toNanos() / 1000));
    clock.advance(time);
    elapseInRedis(time);
  }

  /** Advances the time of Redis alone. */
  void elapseInRedis(Duration time) {
    String[] names = {};
    commands()
        .eval(
            ELAPSE,
            ScriptOutputType.STATUS,
            names,
            "idempo:" + environment + ":*",
            String.valueOf(time.toMillis()));
  }

  /** Removes all entries of this environment from Redis. */
  String flush() {
    elapseInRedis(Duration.ofDays(500));
    return "flushed";
  }

  /** Returns commands for Redis, as an operator has them. */
  RedisCommands<String, String> commands() {
    return operator.sync();
  }

  @Override
  public void close() {
    caches.forEach(RedisCache::close);
    pool.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }
}
