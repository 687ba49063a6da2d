package dev.once.redis;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.spi.DeferredInterrupt;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on one connection that all callers share: calls made at the same moment are written
 * together. A call that finds no connection waits for one, and is sent then.
 */
final class Scripting implements AutoCloseable {
  private static final String UNKNOWN_SCRIPT = "NOSCRIPT";

  private final StatefulConnection<byte[], byte[]> connection;
  private final ConnectionWait connectionWait;
  private final long timeoutNanos;

  Scripting(
      StatefulConnection<byte[], byte[]> connection,
      ConnectionWait connectionWait,
      Duration timeout) {
    this.connection = connection;
    this.connectionWait = connectionWait;
    this.timeoutNanos = timeout.toNanos();
  }

  /**
   * Runs a script and returns its answer, null if it has none.
   *
   * @throws StoreException if there was no answer in time, or an error
   */
  byte @Nullable [] run(Script script, Key key, String name, byte[] argument) {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    long deadline = System.nanoTime() + timeoutNanos;
    ScriptCall call = called(script, key, deadline, () -> script.byHash(nameBytes, argument));
    String error = call.getOutput().getError();
    if (error != null && error.startsWith(UNKNOWN_SCRIPT)) {
      call = called(script, key, deadline, () -> script.asText(nameBytes, argument));
      error = call.getOutput().getError();
    }
    if (error != null) {
      throw RedisFailure.refused(script, key, error);
    }
    return call.getOutput().get();
  }

  /** Sends a script that is optional: does not wait for its answer, and ignores failures. */
  void send(Script script, String name) {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    try {
      var unused = connection.dispatch(script.asText(nameBytes, ScriptArgument.NONE));
    } catch (RedisException e) {
      // The next claim of the caller reports the lost connection.
    }
  }

  /** Sends a call, and returns it when Redis has answered, with an error perhaps. */
  private ScriptCall called(
      Script script, Key key, long deadlineNanos, Supplier<ScriptCall> newCall) {
    try (DeferredInterrupt interrupt = DeferredInterrupt.begin()) {
      while (true) {
        long connections = connectionWait.connections();
        ScriptCall call = newCall.get();
        Throwable failure = dispatch(call);
        if (failure == null) {
          if (!call.await(deadlineNanos, interrupt)) {
            throw RedisFailure.late(script, key);
          }
          failure = call.failure();
        }
        if (failure == null && !call.isCancelled()) {
          return call;
        }
        if (call.wasSent() || !connectionWait.await(connections, deadlineNanos, interrupt)) {
          throw RedisFailure.unanswered(script, key, call.wasSent(), failure);
        }
      }
    }
  }

  /** Hands {@code call} to the connection; returns why the connection rejects it, or null. */
  private @Nullable RedisException dispatch(ScriptCall call) {
    try {
      var unused = connection.dispatch(call);
      return null;
    } catch (RedisException e) {
      return e;
    }
  }

  @Override
  public void close() {
    connectionWait.close();
    connection.close();
  }
}
