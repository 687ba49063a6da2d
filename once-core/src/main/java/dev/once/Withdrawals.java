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
 * until the store answers or the engine is closed: a store that stood still for long may grant a
 * claim when it goes on.
 */
final class Withdrawals implements AutoCloseable {
  /** Further keys stay held until their leases end: the store has been unavailable for long. */
  private static final int MAX_PENDING = 10_000;

  private static final long PAUSE_MILLIS = 250;

  /** A short outage is over by then; a longer one is met with growing pauses. */
  private static final int EVEN_PAUSES = 20;

  private static final int MAX_DOUBLINGS = 5;
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
    schedule(
        () -> {
          // A record that an operator has reopened meanwhile must not become uncertain again.
          boolean isOwned = !request.reconciling() || isInProgress(request.key());
          if (isOwned && store.claim(again) instanceof Claim.Granted grant) {
            giveBack(grant, request.reconciling());
          }
        },
        1);
  }

  /** Gives a grant back; with {@code uncertain}, the record becomes uncertain, not open. */
  void add(Claim.Granted grant, boolean uncertain) {
    schedule(() -> giveBack(grant, uncertain), 1);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** Schedules for later, because the store has just failed. */
  private void schedule(Runnable step, int attempt) {
    if (thread.getQueue().size() >= MAX_PENDING) {
      return; // The lease runs out by itself.
    }
    try {
      var unused =
          thread.schedule(() -> attempt(step, attempt), pause(attempt), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The engine is closed, or no thread could be created: the lease runs out by itself.
    }
  }

  private static long pause(int attempt) {
    int doublings = Math.min(MAX_DOUBLINGS, Math.max(0, attempt - EVEN_PAUSES));
    return PAUSE_MILLIS << doublings;
  }

  private void attempt(Runnable step, int attempt) {
    try {
      step.run();
    } catch (StoreException | OutOfMemoryError e) {
      schedule(step, attempt + 1);
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
