package dev.once.jobs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A claimed job as the process that claimed it knows it. Its estimate of the lease's end counts
 * from before the claim or renewal was sent, so whoever trusts it stops too early rather than too
 * late.
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

  synchronized boolean isOver() {
    return System.nanoTime() - endsNanos >= 0;
  }

  /** Whether less than {@code duration} of the lease is left. */
  synchronized boolean endsWithin(Duration duration) {
    return endsNanos - System.nanoTime() < duration.toNanos();
  }

  synchronized void renewedUntil(long endsNanos) {
    this.endsNanos = endsNanos;
  }

  /** From here on this thread is interrupted if the job is lost. */
  synchronized void begin() {
    settled = false; // What was on its way may have been undone.
    thread = Thread.currentThread();
    if (lost || stopping) {
      thread.interrupt();
    }
  }

  /** From here on it is not, and an interrupt of ours is taken back. */
  synchronized void end() {
    thread = null;
    if (lost) {
      Thread.interrupted();
    }
  }

  /** What becomes of the job is on its way to the database: there is nothing to interrupt. */
  synchronized void settle() {
    settled = true;
  }

  synchronized boolean isSettled() {
    return settled;
  }

  /**
   * Interrupts the handler without a word about the lease: the process wants to stop. One that has
   * not begun yet is interrupted when it does.
   */
  synchronized void interrupt() {
    stopping = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Returns whether that was news. */
  synchronized boolean lose() {
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
