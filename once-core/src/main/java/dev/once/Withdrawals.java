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
 * Gives keys back that the store may have granted to a claim without an answer. In the background,
 * each claim is sent again with its token until there is an answer; if that is a grant, it is given
 * back. It ends with the lease that the claim asked for: a grant has lapsed by then.
 */
final class Withdrawals implements AutoCloseable {
  /** Further claims are left to their leases: the store has been away for long. */
  private static final int MAX_PENDING = 10_000;

  private static final long PAUSE_MILLIS = 250;
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

  /** Withdraws {@code request}, which may have been granted until now. */
  void add(ClaimRequest request, boolean reconciling) {
    long deadline = System.nanoTime() + request.lease().toNanos();
    try {
      thread.execute(() -> withdraw(request, reconciling, deadline));
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The lease that the claim asked for runs out by itself.
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void withdraw(ClaimRequest request, boolean reconciling, long deadline) {
    while (!thread.isShutdown() && System.nanoTime() - deadline < 0) {
      try {
        if (store.claim(request) instanceof Claim.Granted grant) {
          giveBack(grant, reconciling);
        }
        return;
      } catch (StoreException e) {
        pause();
      } catch (OnceException e) {
        return; // The record has an outcome that cannot be read, or a later owner.
      }
    }
  }

  /** What was to be reconciled is as uncertain as before. */
  private void giveBack(Claim.Granted grant, boolean reconciling) {
    if (reconciling) {
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
