package dev.once.bench;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.metadata.RedisMetadataStore;

/** Spring Integration's Redis metadata store: one hash with a field for each key. */
final class SpringIntegrationRedis implements Contestant {
  private static final int DATABASE = 3;
  private static final String HASH = "bench";

  private final StringRedisTemplate template;
  private final RedisMetadataStore store;

  SpringIntegrationRedis(BenchRedis redis) {
    this.template = new StringRedisTemplate(redis.spring(DATABASE));
    this.store = new RedisMetadataStore(template, HASH);
  }

  @Override
  public String name() {
    return "Spring Integration RedisMetadataStore";
  }

  @Override
  public String note() {
    return "key stays for ever, the redelivered message is lost; no result";
  }

  @Override
  public String replayNote() {
    return "get: the value";
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
    if (store.putIfAbsent(key, SpringIntegration.KNOWN) != null) {
      throw new IllegalStateException("not put: " + key);
    }
  }

  @Override
  public void replay(String key) {
    if (!SpringIntegration.KNOWN.equals(store.get(key))) {
      throw new IllegalStateException("not found: " + key);
    }
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    return SpringIntegration.call(store, key, effect);
  }

  @Override
  public long done() {
    return template.opsForHash().size(HASH);
  }
}
