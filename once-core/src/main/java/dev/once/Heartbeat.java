package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps the leases of running effects alive. The timer's thread never touches the store, so that a
 * store that hangs cannot keep anyone from noticing that a lease ran out; renewals are sent by a
 * few threads of their own.
 */
final class Heartbeat implements AutoCloseable {
  /** Three renewals are sent within a lease, so two of them may fail before it is in danger. */
  private static final int BEATS_PER_LEASE = 4;

  private static final int RENEWAL_THREADS = 4;

  private final RecordStore store;
  private final Announcer announcer;
  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService renewals;

  Heartbeat(RecordStore store, Announcer announcer) {
    this.store = store;
    this.announcer = announcer;
    this.timer = new ScheduledThreadPoolExecutor(1, named("once-heartbeat-timer"));
    this.timer.setRemoveOnCancelPolicy(true);
    this.renewals = Executors.newFixedThreadPool(RENEWAL_THREADS, named("once-heartbeat"));
  }

  /**
   * Starts to renew {@code grant}, asked for at {@code sentNanos}, until the lease is closed.
   *
   * @throws RejectedExecutionException if the engine is closed
   */
  Lease start(Claim.Granted grant, long sentNanos, Duration length) {
    Lease lease = new Lease(grant, sentNanos, length, store, announcer);
    long beat = length.toNanos() / BEATS_PER_LEASE;
    // Beats count from when the claim was sent, as the lease does: its answer may have come late.
    long first = Math.max(0, sentNanos + beat - System.nanoTime());
    ScheduledFuture<?> beats =
        timer.scheduleAtFixedRate(() -> lease.beat(renewals), first, beat, TimeUnit.NANOSECONDS);
    lease.onClose(() -> beats.cancel(false));
    return lease;
  }

  boolean isClosed() {
    return timer.isShutdown();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    renewals.shutdownNow();
  }

  private static ThreadFactory named(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
