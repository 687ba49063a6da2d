package dev.once.bench;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Payload;
import dev.once.bench.IdempotentReceiver.Effect;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

/** Once's record store without the engine: one statement or script claims, one completes. */
record OnceStore(RecordStore store, Duration lease) {
  private static final String SCOPE = "store";

  static Contestant<IdempotentReceiver> jdbc(BenchDatabase database, Duration lease) {
    return new OnceStore(JdbcRecordStore.over(database.pool()), lease)
        .contestant("Once, claim + complete", () -> database.completed("scope = '" + SCOPE + "'"));
  }

  static Contestant<IdempotentReceiver> redis(BenchRedis redis, Duration lease) {
    return new OnceStore(redis.connectOnce(), lease)
        .contestant("Once on Redis, claim + complete", () -> redis.keys(0));
  }

  private Contestant<IdempotentReceiver> contestant(String name, Callable<Long> counted) {
    IdempotentReceiver.Calls calls =
        (key, effect) -> call(new Key(Sample.TENANT, SCOPE, key), Sample.FINGERPRINT, effect);
    return new Contestant<>(
        name,
        "2 commits; taken over when the lease ends; result replayed",
        IdempotentReceiver.of(calls, counted)
            .replaying("decides, checks the fingerprint, returns the result"));
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
}
