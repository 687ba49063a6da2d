package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import dev.once.spi.State;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
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
  private final ScheduledThreadPoolExecutor thread;

  Withdrawals(RecordStore store) {
    this.store = store;
    this.thread = new ScheduledThreadPoolExecutor(1, Heartbeat.threads("once-withdrawal"));
    this.thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    this.thread.allowCoreThreadTimeOut(true);
  }

  /** Withdraws a claim that may have been granted until now. */
  void add(ClaimRequest request, boolean reconciling) {
    add(
        request.lease(),
        () -> {
          // What an operator has opened meanwhile must not become uncertain again.
          boolean isOwned = !reconciling || isInProgress(request.key());
          if (isOwned && store.claim(withoutTakeOver(request)) instanceof Claim.Granted grant) {
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
    schedule(step, deadline);
  }

  /** Tries later: the store has just failed. */
  private void schedule(Runnable step, long deadline) {
    if (thread.getQueue().size() >= MAX_PENDING) {
      return; // The lease runs out by itself.
    }
    try {
      var unused =
          thread.schedule(() -> attempt(step, deadline), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The engine is closed, or there is no thread to be had: the lease runs out by itself.
    }
  }

  private void attempt(Runnable step, long deadline) {
    try {
      step.run();
    } catch (StoreException | OutOfMemoryError e) {
      if (System.nanoTime() - deadline < 0) {
        schedule(step, deadline);
      }
    } catch (OnceException e) {
      // The record has a later owner, or an outcome that cannot be read.
    }
  }

  /** The store recognises the claim by its token; the lapsed lease of another owner is left alone. */
  private static ClaimRequest withoutTakeOver(ClaimRequest request) {
    return new ClaimRequest(
        request.key(),
        request.fingerprint(),
        request.lease(),
        request.retention(),
        request.recovery(),
        1,
        request.correlation(),
        request.token());
  }

  private boolean isInProgress(Key key) {
    return store.find(key).filter(it -> it.state() == State.IN_PROGRESS).isPresent();
  }

  private void giveBack(Claim.Granted grant, boolean uncertain) {
    if (uncertain) {
      store.renew(grant, Duration.ZERO);
    } else {
      store.release(grant);
    }
  }
}
