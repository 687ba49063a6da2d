package dev.once;

import dev.once.internal.LeaseState;
import dev.once.spi.Claim;
import dev.once.spi.DeferredInterrupt;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One grant's right to execute, and its renewals. */
final class Lease implements Execution, AutoCloseable {
  /** Three renewals are due before the lease ends, so two of them may fail. */
  static final int RENEWALS_PER_LEASE = 4;

  private static final long LAST_RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Claim.Granted grant;
  private final LeaseState state;
  private final Duration maxRunTime;
  private final RecordStore store;
  private final EngineEventPublisher publisher;
  private Runnable cancelBeats = () -> {};
  private Runnable ended = () -> {};
  private Permit permit = Permit.NONE;

  // Guarded by this.
  private long renewalNanos;
  private boolean renewing;
  private @Nullable Throwable lastFailure;

  Lease(
      Claim.Granted grant,
      long sentNanos,
      Terms terms,
      RecordStore store,
      EngineEventPublisher publisher) {
    this.grant = grant;
    this.state = new LeaseState(sentNanos, terms.lease());
    this.maxRunTime = terms.maxRunTime();
    this.store = store;
    this.publisher = publisher;
    this.renewalNanos = nextRenewal(sentNanos);
  }

  Claim.Granted grant() {
    return grant;
  }

  @Override
  public Key key() {
    return grant.key();
  }

  @Override
  public long fence() {
    return grant.fence();
  }

  @Override
  public int attempt() {
    return grant.attempt();
  }

  /** Compares with the clock too: after a pause, this thread may run before the timer's thread. */
  @Override
  public boolean leaseLost() {
    return state.isLost() || state.isOver();
  }

  /** Whether the loss was noticed and published. */
  boolean isLost() {
    return state.isLost();
  }

  Duration age() {
    return state.age();
  }

  /** Has the heartbeat call {@code cancelBeats} when it is over, and {@code ended} on close. */
  void beatsUntil(Runnable cancelBeats, Runnable ended) {
    this.cancelBeats = cancelBeats;
    this.ended = ended;
  }

  /** Closes {@code permit} when this lease is closed. */
  void holds(Permit permit) {
    this.permit = permit;
  }

  /**
   * Executes {@code effect} on this thread, which is interrupted if the lease is lost meanwhile.
   */
  <T extends @Nullable Object, X extends Exception> T whileInterruptible(Effect<T, X> effect)
      throws X {
    state.begin();
    try {
      return effect.execute(this);
    } finally {
      state.end();
    }
  }

  /**
   * Makes sure that the lease still runs before anything starts under it: the claim's answer may
   * have come late, or a reconciler may have taken long.
   */
  void requireHeld() {
    if (isLost()) {
      throw new LeaseLostException(grant.key(), grant.fence());
    }
    if (state.isOver()) {
      long sent = System.nanoTime();
      DeferredInterrupt.during(() -> store.renew(grant, state.length()));
      renewed(sent);
    }
  }

  /**
   * Called by the timer: marks the lease as lost if its time is up, or starts a renewal if one is
   * due.
   */
  void beat(Executor renewals) {
    if (state.isOver()) {
      lose("no heartbeat reached the store for " + state.length(), lastFailure());
    } else if (age().compareTo(maxRunTime) > 0) {
      lose("the effect has run for longer than its maximum run time of " + maxRunTime, null);
    } else if (startRenewal()) {
      try {
        renewals.execute(this::renew);
      } catch (RejectedExecutionException e) {
        cancelBeats.run(); // The engine is closed: the lease runs out by itself.
      } catch (OutOfMemoryError e) {
        notRenewed(); // No thread could be created: the next beat tries again.
      }
    }
  }

  /** The engine no longer renews the lease, and another process may take over when it ends. */
  void engineClosed() {
    lose("the engine was closed while the effect ran", null);
  }

  /**
   * Marks the effect as over, before its end is sent to the store. From here on there is nothing to
   * interrupt, and a renewal that arrives after the completion is not a lost lease.
   */
  void settle() {
    state.settle();
  }

  @Override
  public void close() {
    settle();
    cancelBeats.run();
    ended.run();
    permit.close();
  }

  /**
   * Ends the heartbeat before the grant is given up: a late renewal would extend it again. The wait
   * is short; if the store takes longer, the key stays held for one more lease at worst. The engine
   * counts the effect as running until {@link #close}.
   */
  void stopBeats() {
    settle();
    cancelBeats.run();
    awaitLastRenewal();
  }

  private synchronized void awaitLastRenewal() {
    long deadline = System.nanoTime() + LAST_RENEWAL_NANOS;
    boolean interrupted = false;
    long left = LAST_RENEWAL_NANOS;
    while (renewing && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = deadline - System.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void renew() {
    long sent = System.nanoTime();
    try {
      store.renew(grant, state.length());
      renewed(sent);
    } catch (LeaseLostException e) {
      notRenewed();
      lose(e);
    } catch (Throwable e) {
      failedToRenew(e); // The next beat tries again, until the lease is over.
    }
  }

  private synchronized boolean startRenewal() {
    if (renewing || state.isLost() || System.nanoTime() - renewalNanos < 0) {
      return false;
    }
    renewing = true;
    return true;
  }

  private synchronized void renewed(long sentNanos) {
    state.renewed(sentNanos);
    renewalNanos = nextRenewal(sentNanos);
    notRenewed();
  }

  private synchronized void failedToRenew(Throwable failure) {
    lastFailure = failure;
    notRenewed();
  }

  private synchronized @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  private synchronized void notRenewed() {
    renewing = false;
    notifyAll();
  }

  private long nextRenewal(long sentNanos) {
    return sentNanos + state.length().toNanos() / RENEWALS_PER_LEASE;
  }

  private void lose(String reason, @Nullable Throwable cause) {
    lose(new StoreException(reason, cause));
  }

  private void lose(OnceException cause) {
    if (state.lose()) {
      publisher.publish(new EngineEvent.LeaseLost(grant.key(), grant.fence(), cause));
    }
  }
}
