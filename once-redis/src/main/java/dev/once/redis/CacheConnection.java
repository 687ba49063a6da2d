package dev.once.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The connection of a cache. No call waits for it: without a connection, the cache is skipped.
 * Commands without an answer when the connection breaks are not sent again, since they may be
 * outdated by then.
 */
final class CacheConnection implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
  private static final int MAX_QUEUED_COMMANDS = 16_384;

  private final RedisURI uri;
  private final RedisClient client;
  private volatile CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection;

  private CacheConnection(RedisURI uri) {
    this.uri = uri;
    this.client = RedisClient.create(ReconnectPolicy.newResources(), uri);
    client.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .replayFilter(command -> true)
            .requestQueueSize(MAX_QUEUED_COMMANDS)
            .socketOptions(ReconnectPolicy.socketOptions())
            .build());
    this.connection = connect();
  }

  /** Connects. If the server is not available, {@link #commands} tries again. */
  static CacheConnection to(RedisURI uri) {
    CacheConnection cacheConnection = new CacheConnection(uri);
    try {
      // Waits only so that an available server is used from the first call on.
      cacheConnection.connection.get(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return cacheConnection;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return cacheConnection;
  }

  /** Returns the commands of the connection; empty while there is no connection. */
  Optional<RedisAsyncCommands<byte[], byte[]>> commands() {
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> now = connection;
    if (now.isCompletedExceptionally()) {
      connectAgain();
      return Optional.empty();
    }
    return now.isDone() ? Optional.of(now.join().async()) : Optional.empty();
  }

  @Override
  public void close() {
    connection.cancel(false);
    ReconnectPolicy.shutdown(client);
  }

  private synchronized void connectAgain() {
    if (connection.isCompletedExceptionally()) {
      connection = connect();
    }
  }

  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connect() {
    return client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
  }
}
