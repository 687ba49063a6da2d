package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Executes effects outside the store's transaction: claim, run, complete, with a heartbeat from the
 * grant to the recorded outcome.
 */
final class LeasedRunner implements Runner {
  /** The first try may meet a connection that died while the effect ran. */
  private static final int COMPLETION_TRIES = 3;

  private static final long COMPLETION_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final RecordStore store;
  private final Heartbeat heartbeat;
  private final Announcer announcer;

  LeasedRunner(RecordStore store, Heartbeat heartbeat, Announcer announcer) {
    this.store = store;
    this.heartbeat = heartbeat;
    this.announcer = announcer;
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> execute(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    try (Lease lease = start(grant, sentNanos, request, Verdict.didNotHappen())) {
      announcer.granted(grant);
      return execute(lease, request, effect);
    }
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> reconcile(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    try (Lease lease = start(grant, sentNanos, request, Verdict.unknown())) {
      announcer.granted(grant);
      Verdict<T> verdict = ask(request, lease);
      if (verdict instanceof Verdict.Happened<T> it) {
        remember(lease, request, it);
        return new Result.Replayed<>(grant.key(), it.value(), request.correlation());
      }
      if (verdict instanceof Verdict.DidNotHappen) {
        return execute(lease, request, effect);
      }
      uninterrupted(
          () -> {
            lease.stop();
            store.renew(grant, Duration.ZERO);
          });
      announcer.tell(new OnceEvent.Uncertain(grant.key()));
      return new Result.Uncertain<>(grant.key());
    }
  }

  /** A closed engine keeps no leases, so what was granted while it closed is given back. */
  private Lease start(
      Claim.Granted grant, long sentNanos, Request<?> request, Verdict<?> unstarted) {
    try {
      return heartbeat.start(grant, sentNanos, request.terms().lease());
    } catch (RejectedExecutionException e) {
      IllegalStateException closed = new IllegalStateException("this engine was closed", e);
      giveBack(grant, unstarted, closed);
      throw closed;
    }
  }

  private <T extends @Nullable Object, X extends Exception> Result<T> execute(
      Lease lease, Request<T> request, Effect<T, X> effect) throws X {
    lease.requireHeld();
    T value;
    try {
      value = lease.whileInterruptible(effect);
    } catch (Throwable failure) {
      Verdict<T> verdict = judge(request, failure);
      if (verdict instanceof Verdict.Happened<T> it) {
        rememberAfter(failure, lease, request, it);
        return new Result.Executed<>(request.key(), it.value());
      }
      giveBack(lease, verdict, failure);
      throw failure;
    }
    remember(lease, request, new Verdict.Happened<>(value, false));
    return new Result.Executed<>(request.key(), value);
  }

  private <T extends @Nullable Object> Verdict<T> ask(Request<T> request, Lease lease) {
    try {
      return lease.whileInterruptible(request::ask);
    } catch (Throwable failure) {
      giveBack(lease, Verdict.unknown(), failure);
      throw failure;
    }
  }

  private static <T extends @Nullable Object> Verdict<T> judge(
      Request<T> request, Throwable failure) {
    try {
      return request.judge(failure);
    } catch (RuntimeException e) {
      suppress(failure, e);
      return Verdict.unknown();
    }
  }

  /** After an effect that did not happen, or of which nobody can tell whether it did. */
  private void giveBack(Lease lease, Verdict<?> verdict, Throwable failure) {
    try {
      uninterrupted(
          () -> {
            lease.stop();
            giveBack(lease.grant(), verdict, failure);
          });
    } catch (RuntimeException e) {
      // The lease runs out by itself; what the effect threw matters more to the caller.
      suppress(failure, e);
    }
  }

  private void giveBack(Claim.Granted grant, Verdict<?> verdict, Throwable failure) {
    if (verdict instanceof Verdict.DidNotHappen) {
      store.release(grant);
      announcer.tell(new OnceEvent.Released(grant.key(), grant.fence(), failure));
    } else {
      store.renew(grant, Duration.ZERO);
      announcer.tell(new OnceEvent.Abandoned(grant.key(), grant.fence(), failure));
    }
  }

  private <T extends @Nullable Object> void rememberAfter(
      Throwable failure, Lease lease, Request<T> request, Verdict.Happened<T> end) {
    try {
      remember(lease, request, end);
    } catch (OnceException e) {
      suppress(e, failure);
      throw e;
    }
  }

  /** A policy may throw the very exception it was asked about. */
  private static void suppress(Throwable failure, Throwable second) {
    if (!failure.equals(second)) {
      failure.addSuppressed(second);
    }
  }

  /**
   * The effect has happened. If recording it fails, the grant stays: a release would let the next
   * caller execute it again at once. After the lease ends, the recovery decides.
   */
  private <T extends @Nullable Object> void remember(
      Lease lease, Request<T> request, Verdict.Happened<T> end) {
    lease.settle();
    Claim.Granted grant = lease.grant();
    try {
      Outcome encoded = request.codec().encode(end.value());
      Outcome outcome = end.failed() ? encoded.asFailed() : encoded;
      uninterrupted(() -> complete(grant, outcome, request.terms()));
      announcer.completed(grant, outcome.failed(), lease.age());
    } catch (LeaseLostException e) {
      if (!lease.isLost()) {
        announcer.tell(new OnceEvent.LeaseLost(grant.key(), grant.fence(), e));
      }
      throw e;
    } catch (RuntimeException e) {
      announcer.tell(new OnceEvent.OutcomeUnknown(grant.key(), grant.fence(), e));
      throw new OutcomeUnknownException(grant.key(), grant.fence(), e);
    }
  }

  /**
   * An interrupt is for the effect, not for its bookkeeping: connection pools refuse interrupted
   * threads, and a finished effect would go unrecorded. It is put aside for that long.
   */
  private static void uninterrupted(Runnable step) {
    boolean interrupted = Thread.interrupted();
    try {
      step.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void complete(Claim.Granted grant, Outcome outcome, Terms terms) {
    for (int attempt = 1; ; attempt++) {
      try {
        store.complete(grant, outcome.within(terms.maxPayloadBytes()), terms.retentionOf(outcome));
        return;
      } catch (StoreException e) {
        if (attempt == COMPLETION_TRIES) {
          throw e;
        }
        LockSupport.parkNanos(COMPLETION_PAUSE_NANOS * attempt);
      }
    }
  }
}
