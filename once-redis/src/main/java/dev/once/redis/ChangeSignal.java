package dev.once.redis;

import io.lettuce.core.RedisFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Wakes all callers that wait for one record. It counts its signals, so that no caller misses one.
 */
final class ChangeSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();
  private long rings;

  /** How many watches use this signal. {@link ChangeSignals} sets it, and the subscription. */
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

  /** Waits until there were more than {@code heard} signals, or for {@code nanos}. */
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
