package dev.once.bench;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What everybody writes who has no library: {@code SET NX PX} claims a key and {@code SET PX} puts
 * the answer there. Nothing tells an owner whose time is over from the next one.
 */
final class RedisByHand implements Contestant {
  private static final int DATABASE = 1;
  private static final String CLAIMED = "";

  private final BenchRedis redis;
  private final RedisCommands<String, String> commands;
  private final SetArgs claim;
  private final SetArgs complete = SetArgs.Builder.px(Sample.TERMS.retention());

  RedisByHand(BenchRedis redis, Duration lease) {
    this.redis = redis;
    this.commands = redis.connect(DATABASE).sync();
    this.claim = SetArgs.Builder.nx().px(lease);
  }

  @Override
  public String name() {
    return "by hand: SET NX + SET";
  }

  @Override
  public String note() {
    return "taken over when its time is over, without a fence or a fingerprint; result replayed";
  }

  @Override
  public String replayNote() {
    return "GET: the answer";
  }

  @Override
  public int commits() {
    return 2;
  }

  @Override
  public Role role() {
    return Role.BY_HAND;
  }

  @Override
  public void execute(String key) {
    if (commands.set(key, CLAIMED, claim) == null) {
      throw new IllegalStateException("not set: " + key);
    }
    commands.set(key, Sample.TEXT, complete);
  }

  @Override
  public void replay(String key) {
    if (!Sample.TEXT.equals(commands.get(key))) {
      throw new IllegalStateException("not found: " + key);
    }
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    if (commands.set(key, CLAIMED, claim) == null) {
      @Nullable String known = commands.get(key);
      return known == null || known.equals(CLAIMED) ? new Reply.Busy() : new Reply.Replayed(known);
    }
    String answer = effect.perform(OptionalLong.empty());
    commands.set(key, answer, complete);
    return new Reply.Executed(answer);
  }

  @Override
  public long done() {
    return redis.keys(DATABASE);
  }
}
