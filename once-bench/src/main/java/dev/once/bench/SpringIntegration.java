package dev.once.bench;

import java.util.concurrent.Callable;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.integration.redis.metadata.RedisMetadataStore;

/**
 * Spring Integration's metadata stores, which its idempotent receiver uses. The receiver inserts a
 * key before it handles a message and does not update it afterwards: "in progress" and "done" are
 * one state.
 */
final class SpringIntegration {
  private static final String KNOWN = "known";
  private static final String HASH = "bench";
  private static final int REDIS_DATABASE = 3;

  private SpringIntegration() {}

  /** A new key takes a single statement, so the fastest setting is auto-commit. */
  static Contestant<IdempotentReceiver> jdbc(BenchDatabase database) {
    database.execute(
        """
        CREATE TABLE IF NOT EXISTS int_metadata_store (
          metadata_key varchar(255) NOT NULL, metadata_value varchar(4000),
          region varchar(100) NOT NULL, PRIMARY KEY (metadata_key, region))
        """);
    JdbcMetadataStore store = new JdbcMetadataStore(database.pool());
    store.afterPropertiesSet(); // Detects PostgreSQL.
    store.start();
    return contestant(
        "Spring Integration JdbcMetadataStore",
        "1 write; key stays, the redelivered message is lost unless the flow is one transaction; no result",
        store,
        () -> database.number("SELECT count(*) FROM int_metadata_store"));
  }

  /** One hash with a field for each key. */
  static Contestant<IdempotentReceiver> redis(BenchRedis redis) {
    StringRedisTemplate template = new StringRedisTemplate(redis.spring(REDIS_DATABASE));
    return contestant(
        "Spring Integration RedisMetadataStore",
        "1 write; key stays for ever, the redelivered message is lost; no result",
        new RedisMetadataStore(template, HASH),
        () -> template.opsForHash().size(HASH));
  }

  private static Contestant<IdempotentReceiver> contestant(
      String name, String note, ConcurrentMetadataStore store, Callable<Long> counted) {
    IdempotentReceiver.Calls calls =
        (key, effect) ->
            store.putIfAbsent(key, KNOWN) == null
                ? new Reply.Executed(effect.perform())
                : new Reply.Known();
    return new Contestant<>(
        name,
        note,
        IdempotentReceiver.of(calls, counted)
            .replaying(
                "get: the value", key -> Sample.requireFound(key, KNOWN.equals(store.get(key)))));
  }
}
