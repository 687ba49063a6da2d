package dev.once.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bell for each record that somebody here waits for, rung by what Redis publishes. All share one
 * connection, which is opened when it is first needed. A bell that cannot be connected stays
 * silent, and the next one tries again.
 */
final class ChangeSignals implements AutoCloseable {
  /** How long a caller waits for its bell to be connected before it waits without. */
  private static final long CONNECT_MILLIS = 500;

  private final Supplier<StatefulRedisPubSubConnection<String, String>> opening;
  private final Map<String, ChangeSignal> signals = new ConcurrentHashMap<>();
  private @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>> connecting;
  private boolean closed;

  ChangeSignals(Supplier<StatefulRedisPubSubConnection<String, String>> opening) {
    this.opening = opening;
  }

  /** The bell of {@code channel}, which has to be given back. */
  ChangeSignal take(String channel) {
    StatefulRedisPubSubConnection<String, String> connection = within(connecting());
    ChangeSignal signal;
    synchronized (this) {
      signal = signals.computeIfAbsent(channel, same -> new ChangeSignal());
      signal.takers++;
      if (connection != null && !signal.isConnected()) {
        signal.subscription = asked(() -> connection.async().subscribe(channel));
      }
    }
    Future<Void> subscription = signal.subscription;
    if (subscription != null) {
      within(subscription);
    }
    return signal;
  }

  /** Gives a bell back that {@link #take} gave. */
  synchronized void giveBack(String channel, ChangeSignal signal) {
    signal.takers--;
    if (signal.takers == 0) {
      signals.remove(channel);
      StatefulRedisPubSubConnection<String, String> connection = opened();
      if (connection != null && signal.subscription != null) {
        var unused = asked(() -> connection.async().unsubscribe(channel));
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (connecting != null) {
      var unused = connecting.thenAccept(StatefulRedisPubSubConnection::close);
    }
  }

  /** The connection, or its beginnings: to connect blocks, which is no business of callers. */
  private synchronized CompletableFuture<StatefulRedisPubSubConnection<String, String>>
      connecting() {
    if (closed) {
      return CompletableFuture.failedFuture(new RedisException("this store is closed"));
    }
    if (connecting == null || connecting.isCompletedExceptionally()) {
      connecting = CompletableFuture.supplyAsync(this::open, ChangeSignals::inBackground);
    }
    return connecting;
  }

  private StatefulRedisPubSubConnection<String, String> open() {
    StatefulRedisPubSubConnection<String, String> connection = opening.get();
    connection.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            ChangeSignal signal = signals.get(channel);
            if (signal != null) {
              signal.ring();
            }
          }
        });
    return connection;
  }

  private @Nullable StatefulRedisPubSubConnection<String, String> opened() {
    return connecting == null || connecting.isCompletedExceptionally()
        ? null
        : connecting.getNow(null);
  }

  /** What is sent, null if the connection refuses it: nobody who waits shall fail by that. */
  private static @Nullable RedisFuture<Void> asked(Supplier<RedisFuture<Void>> command) {
    try {
      return command.get();
    } catch (RedisException e) {
      return null;
    }
  }

  private static void inBackground(Runnable task) {
    Thread thread = new Thread(task, "once-redis-subscriber");
    thread.setDaemon(true);
    thread.start();
  }

  /** What {@code future} comes to, null if it fails, takes too long or somebody interrupts. */
  private static <T> @Nullable T within(Future<T> future) {
    try {
      return future.get(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
