package dev.once.bench;

import org.apache.camel.component.redis.processor.idempotent.SpringRedisStringIdempotentRepository;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Apache Camel's Redis idempotent repository, in the variant that sets a key if it is absent, with
 * an expiry. Its {@code confirm} writes nothing.
 */
final class CamelRedis implements Contestant {
  private static final int DATABASE = 2;

  private final BenchRedis redis;
  private final SpringRedisStringIdempotentRepository repository;

  CamelRedis(BenchRedis redis) {
    this.redis = redis;
    StringRedisTemplate template = new StringRedisTemplate(redis.spring(DATABASE));
    this.repository = new SpringRedisStringIdempotentRepository(template, "bench");
    repository.setExpiry(Sample.TERMS.retention().toSeconds());
    repository.start();
  }

  @Override
  public String name() {
    return "Camel SpringRedisStringIdempotentRepository";
  }

  @Override
  public String note() {
    return "key stays, the redelivered message is lost; no result";
  }

  @Override
  public String replayNote() {
    return "contains: whether the key is there";
  }

  @Override
  public int commits() {
    return 1;
  }

  @Override
  public Role role() {
    return Role.PEER;
  }

  @Override
  public void execute(String key) {
    if (!repository.add(key) || !repository.confirm(key)) {
      throw new IllegalStateException("not added: " + key);
    }
  }

  @Override
  public void replay(String key) {
    if (!repository.contains(key)) {
      throw new IllegalStateException("not found: " + key);
    }
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    return Camel.call(repository, key, effect);
  }

  @Override
  public long done() {
    return redis.keys(DATABASE);
  }
}
