package dev.once.redis;

import dev.once.Key;
import dev.once.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on one connection that all callers share: calls made at the same moment are written
 * together.
 */
final class Scripting implements AutoCloseable {
  private static final String UNKNOWN_SCRIPT = "NOSCRIPT";

  private final StatefulConnection<byte[], byte[]> connection;
  private final long timeoutNanos;

  Scripting(StatefulConnection<byte[], byte[]> connection, Duration timeout) {
    this.connection = connection;
    this.timeoutNanos = timeout.toNanos();
  }

  /**
   * Runs a script and returns its answer, null if it has none.
   *
   * @throws StoreException if there was no answer in time, or an error
   */
  byte @Nullable [] run(Script script, Key key, String name, byte[] argument) {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    ScriptCall call = called(script, key, script.byHash(nameBytes, argument));
    String error = call.getOutput().getError();
    if (error != null && error.startsWith(UNKNOWN_SCRIPT)) {
      call = called(script, key, script.asText(nameBytes, argument));
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

  /** Sends {@code call}, and returns it when Redis has answered, with an error perhaps. */
  private ScriptCall called(Script script, Key key, ScriptCall call) {
    try {
      var unused = connection.dispatch(call);
    } catch (RedisException e) {
      throw RedisFailure.unanswered(script, key, call.wasSent(), e);
    }
    if (!call.await(timeoutNanos)) {
      throw RedisFailure.late(script, key);
    }
    Throwable failure = call.failure();
    if (failure != null || call.isCancelled()) {
      throw RedisFailure.unanswered(script, key, call.wasSent(), failure);
    }
    return call;
  }

  @Override
  public void close() {
    connection.close();
  }
}
