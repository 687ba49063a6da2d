package dev.once.redis;

import io.lettuce.core.RedisFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Rings for all who wait for one record. Counts its rings, so that nobody misses one. */
final class ChangeSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();
  private long rings;

  /** How many took it, and how it is connected: kept by {@link ChangeSignals}. */
  int takers;

  volatile @Nullable RedisFuture<Void> subscription;

  boolean isConnected() {
    RedisFuture<Void> it = subscription;
    return it != null && !it.toCompletableFuture().isCompletedExceptionally();
  }

  void ring() {
    lock.lock();
    try {
      rings++;
      rung.signalAll();
    } finally {
      lock.unlock();
    }
  }

  long rings() {
    lock.lock();
    try {
      return rings;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it has rung more than {@code heard} times, or for {@code nanos}. */
  long await(long heard, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (rings == heard && left > 0) {
        left = rung.awaitNanos(left);
      }
      return rings;
    } finally {
      lock.unlock();
    }
  }
}
