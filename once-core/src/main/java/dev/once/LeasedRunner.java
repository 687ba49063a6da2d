package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Executes effects outside the store's transaction: claim, run, complete, with a heartbeat from the
 * grant to the recorded outcome.
 */
final class LeasedRunner implements Runner {
  private final RecordStore store;
  private final Heartbeat heartbeat;
  private final Announcer announcer;
  private final Nearby nearby;

  LeasedRunner(RecordStore store, Heartbeat heartbeat, Announcer announcer, Nearby nearby) {
    this.store = store;
    this.heartbeat = heartbeat;
    this.announcer = announcer;
    this.nearby = nearby;
  }

  /** Starts what the caller executes by itself. */
  <T extends @Nullable Object> Begun<T> begin(
      Asked asked, Claim.Granted grant, Request<T> request) {
    LeasedRun<T> run =
        asked.reconciling()
            ? start(grant, asked.sentNanos(), request, Verdict.unknown())
            : start(grant, asked.sentNanos(), request, Verdict.didNotHappen());
    run.holds(asked.permit());
    try {
      if (asked.reconciling()) {
        Result<T> found = find(run, run.ask(), request);
        if (found != null) {
          run.close();
          return new Begun.Answered<>(found);
        }
      }
      run.requireHeld();
      return run;
    } catch (Throwable failure) {
      run.close();
      throw failure;
    }
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> execute(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    try (LeasedRun<T> run = start(grant, sentNanos, request, Verdict.didNotHappen())) {
      return execute(run, request, effect);
    }
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> reconcile(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    try (LeasedRun<T> run = start(grant, sentNanos, request, Verdict.unknown())) {
      Result<T> found = find(run, run.ask(), request);
      return found == null ? execute(run, request, effect) : found;
    }
  }

  /** What was granted and does not start is given back: nothing has run under it. */
  private <T extends @Nullable Object> LeasedRun<T> start(
      Claim.Granted grant, long sentNanos, Request<T> request, Verdict<?> unstarted) {
    try {
      Lease lease = heartbeat.start(grant, sentNanos, request.terms());
      announcer.granted(grant);
      return new LeasedRun<>(lease, request, store, heartbeat, announcer, nearby);
    } catch (RejectedExecutionException e) {
      IllegalStateException closed = new IllegalStateException("this engine was closed", e);
      LeasedRun.giveBack(grant, unstarted, closed, store, announcer);
      throw closed;
    } catch (Throwable e) {
      boolean uncertain = !(unstarted instanceof Verdict.DidNotHappen);
      heartbeat.withdraw(grant, request.terms().lease(), uncertain);
      throw e;
    }
  }

  /** The answer that a reconciler's verdict gives; null if the effect is to be executed now. */
  private <T extends @Nullable Object> @Nullable Result<T> find(
      LeasedRun<T> run, Verdict<T> verdict, Request<T> request) {
    if (verdict instanceof Verdict.Happened<T> it) {
      run.remember(it);
      return new Result.Replayed<>(run.key(), it.value(), request.correlation());
    }
    if (verdict instanceof Verdict.DidNotHappen) {
      return null;
    }
    run.leaveUncertain();
    return new Result.Uncertain<>(run.key());
  }

  private <T extends @Nullable Object, X extends Exception> Result<T> execute(
      LeasedRun<T> run, Request<T> request, Effect<T, X> effect) throws X {
    run.requireHeld();
    T value;
    try {
      value = run.interruptibly(effect);
    } catch (Throwable failure) {
      Verdict<T> verdict = run.judge(failure);
      if (verdict instanceof Verdict.Happened<T> it) {
        run.rememberAfter(failure, it);
        return new Result.Executed<>(request.key(), it.value());
      }
      run.giveBack(verdict, failure);
      throw failure;
    }
    run.complete(value);
    return new Result.Executed<>(request.key(), value);
  }
}
