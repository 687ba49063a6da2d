package dev.once.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Circuit breaker for a Redis that does not answer. After a failure, Redis is not called for a
 * pause; then one call tries, and the others skip Redis until that call succeeds.
 */
final class Breaker {
  private static final long CLOSED = 0;

  private final long pauseNanos;
  private final LongSupplier nanos;
  private final long start;

  /** When the next try is due, counted from the start; {@link #CLOSED} if every call may try. */
  private final AtomicLong nextTry = new AtomicLong(CLOSED);

  Breaker(Duration pause, LongSupplier nanos) {
    this.pauseNanos = pause.toNanos();
    this.nanos = nanos;
    this.start = nanos.getAsLong();
  }

  /** Returns whether the caller may call Redis; it then reports whether that succeeded. */
  boolean allows() {
    long due = nextTry.get();
    if (due == CLOSED) {
      return true;
    }
    long now = now();
    return now >= due && nextTry.compareAndSet(due, now + pauseNanos);
  }

  void succeeded() {
    if (nextTry.get() != CLOSED) {
      nextTry.set(CLOSED);
    }
  }

  void failed() {
    nextTry.set(now() + pauseNanos);
  }

  private long now() {
    return nanos.getAsLong() - start;
  }
}
