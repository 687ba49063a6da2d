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
 * Keeps the leases of running effects alive. The timer's thread never calls the store, so a store
 * that hangs does not keep it from noticing that a lease ran out; renewals are sent by a few
 * threads of their own.
 */
final class Heartbeat implements AutoCloseable {
  /** Renewals are sent with every third beat. One that failed is sent again with the next. */
  private static final int BEATS_PER_LEASE = 3 * Lease.RENEWALS_PER_LEASE;

  private static final int RENEWAL_THREADS = 4;

  private final RecordStore store;
  private final EventPublisher publisher;
  private final Duration drainTime;
  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService renewals;
  private final Withdrawals withdrawals;
  private final Set<Lease> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Heartbeat(RecordStore store, EventPublisher publisher, Duration drainTime) {
    this.store = store;
    this.publisher = publisher;
    this.drainTime = drainTime;
    this.timer = new ScheduledThreadPoolExecutor(1, threads("once-heartbeat-timer"));
    this.timer.setRemoveOnCancelPolicy(true);
    this.renewals = Executors.newFixedThreadPool(RENEWAL_THREADS, threads("once-heartbeat"));
    this.withdrawals = new Withdrawals(store);
  }

  /**
   * Starts to renew {@code grant}, claimed at {@code sentNanos}, until the lease is closed.
   *
   * @throws RejectedExecutionException if the engine is closed
   * @throws OnceException if the answer to the claim came after its lease, and it cannot be renewed
   */
  Lease start(Claim.Granted grant, long sentNanos, Terms terms) {
    Lease lease = new Lease(grant, sentNanos, terms, store, publisher);
    // Before the first beat, which would find a lease that is over lost.
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

  /**
   * Gives back, in the background, what the store may have granted to a claim without an answer.
   */
  void withdraw(ClaimRequest request, boolean reconciling) {
    withdrawals.add(request, reconciling);
  }

  /** Gives a grant back, in the background, that could not be given back by its owner. */
  void withdraw(Claim.Granted grant, Duration lease, boolean uncertain) {
    withdrawals.add(grant, lease, uncertain);
  }

  boolean isClosed() {
    return closed;
  }

  /** Waits for running effects as long as the drain time lasts, then tells those that are left. */
  @Override
  public void close() {
    closed = true;
    drain();
    running.forEach(Lease::engineClosed);
    timer.shutdownNow();
    renewals.shutdownNow();
    withdrawals.close();
  }

  /** A timer drops a task that throws, and its lease would run out without a word. */
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
    try {
      while (!running.isEmpty() && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = deadline - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The caller is in a hurry: the effects are told now.
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
