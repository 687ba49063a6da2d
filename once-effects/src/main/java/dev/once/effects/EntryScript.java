package dev.once.effects;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the script that writes an entry. It is sent by its hash, and as text to a server that does
 * not know it yet or any more.
 */
final class EntryScript {
  private static final byte[] TEXT = read();
  private static final String HASH = Base16.digest(TEXT);

  /** The word that an error of Redis begins with. */
  private static final Pattern ERROR_WORD = Pattern.compile("[A-Z]{2,20}");

  private final RedisScriptingAsyncCommands<byte[], byte[]> redis;
  private final Duration timeout;

  EntryScript(RedisScriptingAsyncCommands<byte[], byte[]> redis, Duration timeout) {
    this.redis = redis;
    this.timeout = timeout;
  }

  void run(byte[] key, byte[][] arguments) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    byte[][] keys = {key};
    try {
      await(() -> redis.evalsha(HASH, ScriptOutputType.INTEGER, keys, arguments), deadline);
    } catch (RedisNoScriptException e) {
      await(() -> redis.eval(TEXT, ScriptOutputType.INTEGER, keys, arguments), deadline);
    }
  }

  /**
   * Waits for an answer. An interrupt ends the wait: the command is not sent any more, or has its
   * effect without this thread.
   */
  private void await(Supplier<RedisFuture<Long>> command, long deadlineNanos)
      throws InterruptedException {
    RedisFuture<Long> answer = null;
    try {
      answer = command.get();
      Long unused = answer.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new EffectException("Redis did not answer within " + timeout, e);
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (RedisException | CancellationException e) {
      throw failure(e);
    } finally {
      if (answer != null) {
        answer.cancel(false);
      }
    }
  }

  private static RuntimeException failure(Throwable cause) {
    if (cause instanceof RedisNoScriptException unknown) {
      return unknown;
    }
    Matcher word = ERROR_WORD.matcher(String.valueOf(cause.getMessage()));
    String error = word.lookingAt() ? word.group() : cause.getClass().getSimpleName();
    String advice =
        error.equals("WRONGTYPE")
            ? ": the key belongs to another application, give this effect a prefix of its own"
            : "";
    return new EffectException("Redis did not write the entry: " + error + advice, cause);
  }

  private static byte[] read() {
    try (InputStream file = EntryScript.class.getResourceAsStream("entry.lua")) {
      if (file == null) {
        throw new AssertionError("the script entry.lua is missing from this module");
      }
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
