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
 * Gives back, in the background, keys under which no effect runs, although the store may hold them
 * as granted: from claims that got no answer, and from grants whose release got none. It retries
 * for as long as the lease, and for at least a minute: after its lease, a grant that must not be
 * rerun is uncertain.
 */
final class Withdrawals implements AutoCloseable {
  /** Further keys stay held until their leases end: the store has been unavailable for long. */
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

  /** Withdraws a claim that the store may have granted. */
  void add(ClaimRequest request) {
    // The store recognises the claim by its token, and leaves another owner's lapsed lease alone.
    ClaimRequest again = request.withReconciling(false).withMaxAttempts(1);
    add(
        request.lease(),
        () -> {
          // A record that an operator has reopened meanwhile must not become uncertain again.
          boolean isOwned = !request.reconciling() || isInProgress(request.key());
          if (isOwned && store.claim(again) instanceof Claim.Granted grant) {
            giveBack(grant, request.reconciling());
          }
        });
  }

  /** Gives a grant back; with {@code uncertain}, the record becomes uncertain, not open. */
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

  /** Schedules for later, because the store has just failed. */
  private void schedule(Runnable step, long deadline) {
    if (thread.getQueue().size() >= MAX_PENDING) {
      return; // The lease runs out by itself.
    }
    try {
      var unused =
          thread.schedule(() -> attempt(step, deadline), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The engine is closed, or no thread could be created: the lease runs out by itself.
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
