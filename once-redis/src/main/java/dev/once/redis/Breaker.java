package dev.once.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Keeps callers from waiting for a Redis that does not answer. After a failure nobody asks for a
 * pause; then one caller tries, and the others wait for what becomes of it by not asking.
 */
final class Breaker {
  private static final long CLOSED = 0;

  private final long pauseNanos;
  private final LongSupplier nanos;
  private final long start;

  /** When the next try is due, counted from the start; {@link #CLOSED} if everybody may. */
  private final AtomicLong nextTry = new AtomicLong(CLOSED);

  Breaker(Duration pause, LongSupplier nanos) {
    this.pauseNanos = pause.toNanos();
    this.nanos = nanos;
    this.start = nanos.getAsLong();
  }

  /** Whether the caller may ask; whoever may tells how it went. */
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
