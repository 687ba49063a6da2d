package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Gives keys back, in the background, under which no effect runs and of which the store did not
 * hear: of claims that got no answer and may have been granted, and of grants whose release got
 * none. It tries for as long as the lease would last, and for a minute at least: after its lease a
 * grant that may not be rerun is uncertain.
 */
final class Withdrawals implements AutoCloseable {
  /** Further keys are left to their leases: the store has been away for long. */
  private static final int MAX_PENDING = 10_000;

  private static final long PAUSE_MILLIS = 250;
  private static final long MIN_TIME_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long IDLE_SECONDS = 10;

  private final RecordStore store;
  private final ThreadPoolExecutor thread;

  Withdrawals(RecordStore store) {
    this.store = store;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_PENDING),
            Heartbeat.threads("once-withdrawal"));
    this.thread.allowCoreThreadTimeOut(true);
  }

  /** Withdraws a claim that may have been granted until now. */
  void add(ClaimRequest request, boolean reconciling) {
    add(
        request.lease(),
        () -> {
          // It is recognised by its token.
          if (store.claim(request) instanceof Claim.Granted grant) {
            giveBack(grant, reconciling);
          }
        });
  }

  /** Gives a grant back; an uncertain one stays uncertain. */
  void add(Claim.Granted grant, Duration lease, boolean uncertain) {
    add(lease, () -> giveBack(grant, uncertain));
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void add(Duration lease, Runnable step) {
    long deadline = System.nanoTime() + Math.max(lease.toNanos(), MIN_TIME_NANOS);
    try {
      thread.execute(() -> repeat(step, deadline));
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The lease runs out by itself.
    }
  }

  private void repeat(Runnable step, long deadline) {
    pause(); // The store has just failed.
    while (!thread.isShutdown() && System.nanoTime() - deadline < 0) {
      try {
        step.run();
        return;
      } catch (StoreException e) {
        pause();
      } catch (OnceException e) {
        return; // The record has a later owner, or an outcome that cannot be read.
      }
    }
  }

  private void giveBack(Claim.Granted grant, boolean uncertain) {
    if (uncertain) {
      store.renew(grant, Duration.ZERO);
    } else {
      store.release(grant);
    }
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The engine was closed.
    }
  }
}
