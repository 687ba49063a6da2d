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
  private final EngineEventPublisher publisher;
  private final GuardedCache guardedCache;

  LeasedRunner(
      RecordStore store,
      Heartbeat heartbeat,
      EngineEventPublisher publisher,
      GuardedCache guardedCache) {
    this.store = store;
    this.heartbeat = heartbeat;
    this.publisher = publisher;
    this.guardedCache = guardedCache;
  }

  /** Starts an effect that the caller executes itself. */
  <T extends @Nullable Object> BeginResult<T> begin(
      ClaimAttempt claimAttempt, Claim.Granted grant, Request<T> request) {
    LeasedRun<T> run =
        claimAttempt.reconciling()
            ? start(grant, claimAttempt.sentNanos(), request, EffectState.unknown())
            : start(grant, claimAttempt.sentNanos(), request, EffectState.didNotHappen());
    run.holds(claimAttempt.permit());
    try {
      if (claimAttempt.reconciling()) {
        Result<T> found = find(run, run.reconcile(), request);
        if (found != null) {
          run.close();
          return new BeginResult.Answered<>(found);
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
    try (LeasedRun<T> run = start(grant, sentNanos, request, EffectState.didNotHappen())) {
      return execute(run, request, effect);
    }
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> reconcile(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    try (LeasedRun<T> run = start(grant, sentNanos, request, EffectState.unknown())) {
      Result<T> found = find(run, run.reconcile(), request);
      return found == null ? execute(run, request, effect) : found;
    }
  }

  /** Starts the lease. If that fails, the grant is given back: nothing has run under it. */
  private <T extends @Nullable Object> LeasedRun<T> start(
      Claim.Granted grant, long sentNanos, Request<T> request, EffectState<?> unstarted) {
    try {
      Lease lease = heartbeat.start(grant, sentNanos, request.terms());
      publisher.granted(grant);
      return new LeasedRun<>(lease, request, store, heartbeat, publisher, guardedCache);
    } catch (RejectedExecutionException e) {
      IllegalStateException closed = new IllegalStateException("this engine was closed", e);
      LeasedRun.giveBack(grant, unstarted, closed, store, publisher);
      throw closed;
    } catch (Throwable e) {
      heartbeat.withdraw(grant, LeasedRun.mayHaveHappened(unstarted));
      throw e;
    }
  }

  /** The answer that follows from {@code state}; null if the effect is to be executed now. */
  private <T extends @Nullable Object> @Nullable Result<T> find(
      LeasedRun<T> run, EffectState<T> state, Request<T> request) {
    return state.<@Nullable Result<T>>fold(
        happened -> {
          run.remember(happened);
          return new Result.Replayed<>(
              run.key(), happened.value(), request.correlation(), happened.failed());
        },
        didNotHappen -> null,
        unknown -> {
          run.leaveUncertain();
          return new Result.Uncertain<>(run.key());
        });
  }

  private <T extends @Nullable Object, X extends Exception> Result<T> execute(
      LeasedRun<T> run, Request<T> request, Effect<T, X> effect) throws X {
    run.requireHeld();
    T value;
    try {
      value = run.interruptibly(effect);
    } catch (Throwable failure) {
      Result<T> result = run.failed(failure);
      if (result == null) {
        throw failure;
      }
      return result;
    }
    run.complete(value);
    return new Result.Executed<>(request.key(), value);
  }
}
