package dev.once.bench;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Payload;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

/** Once's record store without the engine: one statement or script claims, one completes. */
record OnceStore(Profile profile, RecordStore store, Duration lease, Callable<Long> counted)
    implements Contestant {
  private static final String SCOPE = "store";

  static OnceStore jdbc(BenchDatabase database, Duration lease) {
    return new OnceStore(
        profile("Once, claim + complete"),
        JdbcRecordStore.over(database.pool()),
        lease,
        () -> database.completed("scope = '" + SCOPE + "'"));
  }

  static OnceStore redis(BenchRedis redis, Duration lease) {
    return new OnceStore(
        profile("Once on Redis, claim + complete"),
        redis.connectOnce(),
        lease,
        () -> redis.keys(0));
  }

  private static Profile profile(String name) {
    return new Profile(
        name,
        Role.ONCE,
        2,
        "taken over when the lease ends; result replayed",
        "decides, checks the fingerprint, returns the result");
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    return call(new Key(Sample.TENANT, SCOPE, key), Sample.FINGERPRINT, effect);
  }

  Reply call(Key key, Fingerprint fingerprint, Effect effect) throws Exception {
    Claim claim = store.claim(Sample.claim(key, fingerprint, lease));
    if (claim instanceof Claim.Granted grant) {
      String answer = effect.perform(OptionalLong.of(grant.fence()));
      store.complete(grant, Sample.outcome(answer), Sample.TERMS.retention());
      return new Reply.Executed(answer);
    }
    return claim instanceof Claim.Replay replay
        ? new Reply.Replayed(text(replay.outcome().payload()))
        : new Reply.Busy();
  }

  private static String text(Payload payload) {
    return new String(((Payload.Bytes) payload).toArray(), StandardCharsets.UTF_8);
  }

  @Override
  public long done() throws Exception {
    return counted.call();
  }
}
