package dev.once.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has a signal for each record that a caller in this process waits for, and triggers it when Redis
 * publishes a change. All signals share one connection, which is opened when it is first needed. A
 * signal that cannot be subscribed is never triggered, and the next {@link #take} tries again.
 */
final class ChangeSignals implements AutoCloseable {
  /** How long a caller waits for its subscription before it continues without one. */
  private static final long CONNECT_MILLIS = 500;

  private final Supplier<StatefulRedisPubSubConnection<String, String>> opening;
  private final Map<String, ChangeSignal> signals = new ConcurrentHashMap<>();
  private @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>> connecting;
  private boolean closed;

  /** Channels still to be unsubscribed: Lettuce would subscribe them with each new connection. */
  private final Set<String> unused = ConcurrentHashMap.newKeySet();

  ChangeSignals(Supplier<StatefulRedisPubSubConnection<String, String>> opening) {
    this.opening = opening;
  }

  /** Returns the signal of {@code channel}, for a caller that calls {@link #giveBack} later. */
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

  /** Gives back a signal of {@link #take}. When all callers have, its subscription ends. */
  synchronized void giveBack(String channel, ChangeSignal signal) {
    signal.takers--;
    if (signal.takers == 0) {
      signals.remove(channel);
      StatefulRedisPubSubConnection<String, String> connection = opened();
      if (connection != null && signal.subscription != null) {
        unused.add(channel);
        unsubscribe(connection);
      }
    }
  }

  /** Unsubscribes unused channels, until the connection refuses one: all others would be, too. */
  private void unsubscribe(StatefulRedisPubSubConnection<String, String> connection) {
    unused.removeAll(signals.keySet()); // In use again.
    for (String channel : List.copyOf(unused)) {
      RedisFuture<Void> answer = asked(() -> connection.async().unsubscribe(channel));
      if (answer == null) {
        return;
      }
      unused.remove(channel);
      // Takes no lock: close holds it while it waits for the thread that runs this.
      answer.exceptionally(
          failure -> {
            unused.add(channel);
            return null;
          });
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (connecting != null) {
      var unused = connecting.thenAccept(StatefulRedisPubSubConnection::close);
    }
  }

  /** Returns the connection, or the attempt to open it, which blocks and so has its own thread. */
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

  /** Sends a command; null if the connection refuses it, which must not fail a waiting caller. */
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

  /** Returns the result of {@code future}; null after a failure, a timeout or an interrupt. */
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
