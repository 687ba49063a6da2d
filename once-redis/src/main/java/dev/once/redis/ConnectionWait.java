package dev.once.redis;

import dev.once.spi.DeferredInterrupt;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets a call that could not be sent wait until the client has connected again. Calls wait only
 * when an outage begins, for as long as {@code patience}. After that calls fail at once, so that
 * they do not pile up.
 */
final class ConnectionWait implements RedisConnectionStateListener, AutoCloseable {
  /** A node of a cluster may become available without a new connection of this client. */
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final AbstractRedisClient client;
  private final long patienceNanos;
  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  // Written under this lock.
  private volatile long connections;

  // Guarded by this.
  private boolean lost;
  private long lostNanos;

  private ConnectionWait(AbstractRedisClient client, Duration patience) {
    this.client = client;
    this.patienceNanos = patience.toNanos();
  }

  static ConnectionWait of(AbstractRedisClient client, Duration patience) {
    ConnectionWait wait = new ConnectionWait(client, patience);
    client.addListener(wait);
    return wait;
  }

  /** Returns how often the client has connected, to be read before a call is sent. */
  long connections() {
    return connections;
  }

  /**
   * Waits until the client has connected more often than {@code before}, or for a moment.
   *
   * @return whether to send the call again; false after {@code deadlineNanos} or the patience
   */
  boolean await(long before, long deadlineNanos, DeferredInterrupt interrupt) {
    long now = System.nanoTime();
    long end = Math.min(deadlineNanos - now, patienceLeft(before, now));
    if (closed || end <= 0) {
      return false;
    }
    long pauseEnd = now + Math.min(end, LONGEST_PAUSE_NANOS);
    waiting.add(Thread.currentThread());
    try {
      for (long left = pauseEnd - now;
          left > 0 && !closed && connections == before;
          left = pauseEnd - System.nanoTime()) {
        interrupt.pause(left);
      }
    } finally {
      waiting.remove(Thread.currentThread());
    }
    return !closed;
  }

  @Override
  public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
    synchronized (this) {
      connections = connections + 1;
      lost = false;
    }
    waiting.forEach(LockSupport::unpark);
  }

  @Override
  public void close() {
    closed = true;
    client.removeListener(this);
    waiting.forEach(LockSupport::unpark);
  }

  /** An outage begins with the first call that is rejected after the last connection. */
  private synchronized long patienceLeft(long before, long now) {
    if (connections != before) {
      return patienceNanos; // Connected meanwhile: the call can be sent.
    }
    if (!lost) {
      lost = true;
      lostNanos = now;
    }
    return lostNanos + patienceNanos - now;
  }
}
