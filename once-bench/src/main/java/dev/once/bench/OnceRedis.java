package dev.once.bench;

import dev.once.Key;
import java.time.Duration;

/** Once's record store on Redis: one script claims, one completes. */
final class OnceRedis implements Contestant {
  private static final int DATABASE = 0;
  private static final String SCOPE = "store";

  private final BenchRedis redis;
  private final StoreCalls calls;

  OnceRedis(BenchRedis redis, Duration lease) {
    this.redis = redis;
    this.calls = new StoreCalls(redis.connectOnce(), lease);
  }

  @Override
  public String name() {
    return "Once on Redis, claim + complete";
  }

  @Override
  public String note() {
    return "taken over when the lease ends; result replayed";
  }

  @Override
  public String replayNote() {
    return "decides, checks the fingerprint, returns the result";
  }

  @Override
  public int commits() {
    return 2;
  }

  @Override
  public Role role() {
    return Role.ONCE;
  }

  @Override
  public void execute(String key) {
    calls.execute(key(key));
  }

  @Override
  public void replay(String key) {
    calls.replay(key(key), Sample.FINGERPRINT);
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    return calls.call(key(key), effect);
  }

  @Override
  public long done() {
    return redis.keys(DATABASE);
  }

  private static Key key(String key) {
    return new Key(Sample.TENANT, SCOPE, key);
  }
}
