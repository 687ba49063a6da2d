package dev.once.redis;

import dev.once.Key;
import dev.once.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on one connection that all callers share: what they send at the same moment travels
 * together.
 */
final class Scripting implements AutoCloseable {
  private final StatefulConnection<byte[], byte[]> connection;
  private final RedisScriptingAsyncCommands<byte[], byte[]> commands;
  private final Duration timeout;

  Scripting(
      StatefulConnection<byte[], byte[]> connection,
      RedisScriptingAsyncCommands<byte[], byte[]> commands,
      Duration timeout) {
    this.connection = connection;
    this.commands = commands;
    this.timeout = timeout;
  }

  /**
   * The script's answer, null if it has none.
   *
   * @throws StoreException if there was no answer in time, or an error
   */
  byte @Nullable [] run(Script script, Key key, String name, byte[]... arguments) {
    byte[][] names = {name.getBytes(StandardCharsets.UTF_8)};
    try {
      return await(commands.evalsha(script.sha, ScriptOutputType.VALUE, names, arguments));
    } catch (RedisNoScriptException unknown) {
      return runText(script, key, names, arguments);
    } catch (RedisException | TimeoutException e) {
      throw RedisFailure.of(script, key, e);
    }
  }

  /** Runs a script for which nobody waits and without which everything works. */
  void send(Script script, String name) {
    byte[][] names = {name.getBytes(StandardCharsets.UTF_8)};
    try {
      var unused = commands.<byte[]>eval(script.text, ScriptOutputType.VALUE, names);
    } catch (RedisException e) {
      // Whoever sends this asks something next, and hears of a lost connection from that.
    }
  }

  private byte @Nullable [] runText(Script script, Key key, byte[][] names, byte[]... arguments) {
    try {
      return await(commands.eval(script.text, ScriptOutputType.VALUE, names, arguments));
    } catch (RedisException | TimeoutException e) {
      throw RedisFailure.of(script, key, e);
    }
  }

  /**
   * Waits for an answer, not for ever. An interrupt is put aside: what was sent has its effect in
   * any case, and its answer says which.
   */
  private byte @Nullable [] await(RedisFuture<byte[]> answer) throws TimeoutException {
    long deadline = System.nanoTime() + timeout.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RedisException cause ? cause : new RedisException(e.getCause());
    } finally {
      // What has not been sent by now is not sent any more.
      answer.cancel(true);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
