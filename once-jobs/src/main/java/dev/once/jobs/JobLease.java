package dev.once.jobs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A claimed job, as the process that claimed it sees it. The process estimates the end of the lease
 * from the time before the claim or renewal was sent, so it stops too early rather than too late.
 */
final class JobLease {
  private final ClaimedJob job;
  private final QueueRunner runner;
  private final long claimedNanos;

  // Guarded by this.
  private long endsNanos;
  private boolean lost;
  private boolean settled;
  private boolean stopping;
  private @Nullable Thread thread;

  JobLease(ClaimedJob job, QueueRunner runner, long sentNanos, Duration lease) {
    this.job = job;
    this.runner = runner;
    this.claimedNanos = sentNanos;
    this.endsNanos = sentNanos + lease.toNanos();
  }

  ClaimedJob job() {
    return job;
  }

  QueueRunner runner() {
    return runner;
  }

  Duration age() {
    return Duration.ofNanos(System.nanoTime() - claimedNanos);
  }

  synchronized boolean isLost() {
    return lost;
  }

  synchronized boolean isExpired() {
    return System.nanoTime() - endsNanos >= 0;
  }

  /** Whether less than {@code duration} of the lease is left. */
  synchronized boolean endsWithin(Duration duration) {
    return endsNanos - System.nanoTime() < duration.toNanos();
  }

  synchronized void renewedUntil(long endsNanos) {
    this.endsNanos = endsNanos;
  }

  /** Starts a run on the current thread, which is interrupted if the lease is lost. */
  synchronized void begin() {
    settled = false; // The previous settlement may have been rolled back.
    thread = Thread.currentThread();
    if (lost || stopping) {
      thread.interrupt();
    }
  }

  /**
   * Ends the run: the thread is no longer interrupted, and the interrupt of a lost lease is
   * cleared.
   */
  synchronized void end() {
    thread = null;
    if (lost) {
      Thread.interrupted();
    }
  }

  /** Marks that the settlement is on its way to the database: the lease can no longer be lost. */
  synchronized void settle() {
    settled = true;
  }

  synchronized boolean isSettled() {
    return settled;
  }

  /**
   * Interrupts the handler because the process stops; the lease is not affected. A handler that has
   * not started yet is interrupted when it starts.
   */
  synchronized void interrupt() {
    stopping = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /**
   * Marks the lease as lost and interrupts the handler. Returns false if the lease was lost before,
   * or the job is settled.
   */
  synchronized boolean markLost() {
    if (lost || settled) {
      return false;
    }
    lost = true;
    if (thread != null) {
      thread.interrupt();
    }
    return true;
  }
}
