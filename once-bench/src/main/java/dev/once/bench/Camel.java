package dev.once.bench;

import java.util.concurrent.Callable;
import org.apache.camel.component.redis.processor.idempotent.SpringRedisStringIdempotentRepository;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.apache.camel.spi.IdempotentRepository;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Apache Camel's idempotent repositories. Their {@code confirm} writes nothing: "in progress" and
 * "done" are one state, so they commit once per key where Once commits twice.
 */
final class Camel {
  private static final int REDIS_DATABASE = 2;

  private Camel() {}

  /** Uses real transactions, and the table with a primary key that it creates itself. */
  static Contestant<IdempotentReceiver> jdbc(BenchDatabase database) {
    TransactionTemplate transactions =
        new TransactionTemplate(new DataSourceTransactionManager(database.pool()));
    return started(
        "Camel JdbcMessageIdRepository",
        new JdbcMessageIdRepository(database.pool(), transactions, "bench"),
        () -> database.number("SELECT count(*) FROM camel_messageprocessed"));
  }

  /** The variant that sets a key if it is absent, with an expiry. */
  static Contestant<IdempotentReceiver> redis(BenchRedis redis) {
    StringRedisTemplate template = new StringRedisTemplate(redis.spring(REDIS_DATABASE));
    SpringRedisStringIdempotentRepository repository =
        new SpringRedisStringIdempotentRepository(template, "bench");
    repository.setExpiry(Sample.TERMS.retention().toSeconds());
    return started(
        "Camel SpringRedisStringIdempotentRepository",
        repository,
        () -> redis.keys(REDIS_DATABASE));
  }

  /** Calls it as its idempotent consumer does with default settings ("eager"). */
  private static Contestant<IdempotentReceiver> started(
      String name, IdempotentRepository repository, Callable<Long> counted) {
    repository.start();
    IdempotentReceiver.Calls calls =
        (key, effect) -> {
          if (!repository.add(key)) {
            return new Reply.Known();
          }
          String answer = effect.perform();
          repository.confirm(key);
          return new Reply.Executed(answer);
        };
    return new Contestant<>(
        name,
        "1 write; key stays, the redelivered message is lost; no result",
        IdempotentReceiver.of(calls, counted)
            .replaying(
                "contains: whether the key is there",
                key -> Sample.requireFound(key, repository.contains(key))));
  }
}
