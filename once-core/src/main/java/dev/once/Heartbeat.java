package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Renews the leases of running effects. The timer's thread never calls the store, so it notices
 * that a lease ran out even if the store hangs; a few separate threads send the renewals.
 */
final class Heartbeat implements AutoCloseable {
  /** A renewal is sent with every third beat. One that failed is sent again with the next beat. */
  private static final int BEATS_PER_LEASE = 3 * Lease.RENEWALS_PER_LEASE;

  private static final int RENEWAL_THREADS = 4;

  private final RecordStore store;
  private final EngineEventPublisher publisher;
  private final Duration drainTime;
  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService renewals;
  private final Withdrawals withdrawals;
  private final Set<Lease> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Heartbeat(RecordStore store, EngineEventPublisher publisher, Duration drainTime) {
    this.store = store;
    this.publisher = publisher;
    this.drainTime = drainTime;
    this.timer = new ScheduledThreadPoolExecutor(1, threads("once-heartbeat-timer"));
    this.timer.setRemoveOnCancelPolicy(true);
    this.renewals = Executors.newFixedThreadPool(RENEWAL_THREADS, threads("once-heartbeat"));
    this.withdrawals = new Withdrawals(store);
  }

  /**
   * Renews {@code grant}, claimed at {@code sentNanos}, until the lease is closed.
   *
   * @throws RejectedExecutionException if the engine is closed
   * @throws OnceException if the claim's answer came after the lease ended, and it cannot be
   *     renewed
   */
  Lease start(Claim.Granted grant, long sentNanos, Terms terms) {
    Lease lease = new Lease(grant, sentNanos, terms, store, publisher);
    // Before the first beat, which would report a lease that has ended as lost.
    lease.requireHeld();
    long beat = terms.lease().toNanos() / BEATS_PER_LEASE;
    running.add(lease);
    try {
      if (closed) {
        throw new RejectedExecutionException("the engine is closed");
      }
      ScheduledFuture<?> beats =
          timer.scheduleAtFixedRate(() -> beat(lease), beat, beat, TimeUnit.NANOSECONDS);
      lease.beatsUntil(() -> beats.cancel(false), () -> ended(lease));
      return lease;
    } catch (Throwable e) {
      ended(lease);
      throw e;
    }
  }

  /** Gives back, in the background, what the store may have granted to an unanswered claim. */
  void withdraw(ClaimRequest request) {
    withdrawals.add(request);
  }

  /** Gives back, in the background, a grant that its owner could not give back. */
  void withdraw(Claim.Granted grant, boolean uncertain) {
    withdrawals.add(grant, uncertain);
  }

  /** Refuses calls to a closed engine. */
  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("this engine is closed: keep it open as long as calls come");
    }
  }

  /**
   * Waits for running effects, at most the drain time, and then marks the remaining leases as lost.
   */
  @Override
  public void close() {
    closed = true;
    drain();
    running.forEach(Lease::engineClosed);
    timer.shutdownNow();
    renewals.shutdownNow();
    withdrawals.close();
  }

  /**
   * Catches what a beat throws: the timer would drop the task, and the lease would end unnoticed.
   */
  private void beat(Lease lease) {
    if (!running.contains(lease)) {
      throw new CancellationException("the lease did not start, or has ended");
    }
    try {
      lease.beat(renewals);
    } catch (RuntimeException | OutOfMemoryError e) {
      // The next beat tries again.
    }
  }

  private synchronized void ended(Lease lease) {
    running.remove(lease);
    if (running.isEmpty()) {
      notifyAll();
    }
  }

  private synchronized void drain() {
    long deadline = System.nanoTime() + drainTime.toNanos();
    long left = drainTime.toNanos();
    boolean interrupted = false;
    while (!running.isEmpty() && left > 0) {
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

  /** Daemon threads named {@code name}-1, {@code name}-2 and so on. */
  static ThreadFactory threads(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(null, task, name + "-" + count.incrementAndGet(), 0, false);
      thread.setDaemon(true);
      return thread;
    };
  }
}
