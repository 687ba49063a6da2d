package dev.once.bench;

import dev.once.bench.IdempotentReceiver.Effect;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The usual code without a library: {@code SET NX PX} claims a key and {@code SET PX} stores the
 * answer. An owner with an expired claim is not distinguished from the next owner.
 */
record RedisByHand(RedisAsyncCommands<String, String> commands, SetArgs claim, SetArgs complete) {
  private static final int DATABASE = 1;
  private static final String CLAIMED = "";

  static Contestant<IdempotentReceiver> contestant(BenchRedis redis, Duration lease) {
    RedisByHand hand =
        new RedisByHand(
            redis.connect(DATABASE).async(),
            SetArgs.Builder.nx().px(lease),
            SetArgs.Builder.px(Sample.TERMS.retention()));
    return new Contestant<>(
        "by hand: SET NX + SET",
        "2 writes; taken over when its time is over, without a fence or a fingerprint; result replayed",
        IdempotentReceiver.of(hand::call, () -> redis.keys(DATABASE)));
  }

  private Reply call(String key, Effect effect) throws Exception {
    if (await(commands.set(key, CLAIMED, claim)) == null) {
      @Nullable String known = await(commands.get(key));
      return known == null || known.equals(CLAIMED) ? new Reply.Busy() : new Reply.Replayed(known);
    }
    String answer = effect.perform();
    await(commands.set(key, answer, complete));
    return new Reply.Executed(answer);
  }

  /** Awaits a command as the store does: Lettuce's blocking commands go through a slower proxy. */
  private static <T extends @Nullable Object> T await(RedisFuture<T> answer) throws Exception {
    return answer.get(10, TimeUnit.SECONDS);
  }
}
