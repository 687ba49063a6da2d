package dev.once.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lease as its owner knows it: running, lost, or settled. The owner counts the lease from the
 * moment before it sent the claim or renewal, so an owner that relies on this stops too early
 * rather than too late. (On a machine whose monotonic clock stops during suspend, the estimate may
 * be too late; the store's fence decides then.)
 *
 * <p>Thread-safe. Subclasses add whose lease it is.
 */
public class LeaseState {
  private final Duration length;
  private final long claimedNanos;

  // Guarded by this.
  private long endsNanos;
  private boolean lost;
  private boolean settled;
  private boolean stopping;
  private boolean interruptedBefore;
  private @Nullable Thread owner;

  /**
   * @param sentNanos the moment before the claim was sent
   */
  public LeaseState(long sentNanos, Duration length) {
    this.length = length;
    this.claimedNanos = sentNanos;
    this.endsNanos = sentNanos + length.toNanos();
  }

  public final Duration length() {
    return length;
  }

  /** Returns the time since the claim was sent. */
  public final Duration age() {
    return Duration.ofNanos(System.nanoTime() - claimedNanos);
  }

  /** Returns whether the loss of the lease was noticed. */
  public final synchronized boolean isLost() {
    return lost;
  }

  /** Returns whether the lease has ended by the clock, noticed or not. */
  public final boolean isOver() {
    return endsWithin(Duration.ZERO);
  }

  /** Returns whether at most {@code time} of the lease is left. */
  public final synchronized boolean endsWithin(Duration time) {
    return endsNanos - System.nanoTime() <= time.toNanos();
  }

  /** Extends the lease by a renewal that was sent at {@code sentNanos}. */
  public final synchronized void renewed(long sentNanos) {
    endsNanos = sentNanos + length.toNanos();
  }

  /** Starts work on the current thread, which is interrupted if the lease is lost meanwhile. */
  public final synchronized void begin() {
    owner = Thread.currentThread();
    if (lost || stopping) {
      interrupt(owner);
    }
  }

  /** Ends the work. The interrupt of a lost lease is cleared: the thread belongs to the caller. */
  public final synchronized void end() {
    owner = null;
    if (lost && !interruptedBefore) {
      boolean unused = Thread.interrupted();
    }
  }

  /**
   * Marks that the end of the work is on its way to the store: the lease cannot be lost any more.
   */
  public final synchronized void settle() {
    settled = true;
  }

  /** Takes {@link #settle} back: the end did not reach the store. */
  public final synchronized void unsettle() {
    settled = false;
  }

  public final synchronized boolean isSettled() {
    return settled;
  }

  /** Interrupts the work because the process stops, now or when it begins. The lease runs on. */
  public final synchronized void stop() {
    stopping = true;
    if (owner != null) {
      owner.interrupt();
    }
  }

  /** Interrupts the work if it runs now. The lease runs on. */
  public final synchronized void interruptWork() {
    if (owner != null) {
      owner.interrupt();
    }
  }

  /**
   * Marks the lease as lost and interrupts the work.
   *
   * @return false if it was lost before, or is settled
   */
  public final synchronized boolean lose() {
    if (lost || settled) {
      return false;
    }
    lost = true;
    if (owner != null) {
      interrupt(owner);
    }
    return true;
  }

  private void interrupt(Thread thread) {
    interruptedBefore = thread.isInterrupted();
    thread.interrupt();
  }
}
