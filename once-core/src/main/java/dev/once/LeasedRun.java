package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.DeferredInterrupt;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One effect under its lease, from the grant to the recorded outcome. */
final class LeasedRun<T extends @Nullable Object> implements BeginResult.Running<T>, AutoCloseable {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Lease lease;
  private final Request<T> request;
  private final RecordStore store;
  private final Heartbeat heartbeat;
  private final EngineEventPublisher publisher;
  private final GuardedCache guardedCache;

  LeasedRun(
      Lease lease,
      Request<T> request,
      RecordStore store,
      Heartbeat heartbeat,
      EngineEventPublisher publisher,
      GuardedCache guardedCache) {
    this.lease = lease;
    this.request = request;
    this.store = store;
    this.heartbeat = heartbeat;
    this.publisher = publisher;
    this.guardedCache = guardedCache;
  }

  @Override
  public Key key() {
    return lease.key();
  }

  @Override
  public long fence() {
    return lease.fence();
  }

  @Override
  public int attempt() {
    return lease.attempt();
  }

  @Override
  public boolean leaseLost() {
    return lease.leaseLost();
  }

  @Override
  public <R extends @Nullable Object, X extends Exception> R interruptibly(Effect<R, X> part)
      throws X {
    return lease.whileInterruptible(part);
  }

  @Override
  public void complete(T value) {
    remember(new EffectState.Happened<>(value, false));
  }

  @Override
  public void release(Throwable cause) {
    giveBack(EffectState.didNotHappen(), cause);
  }

  @Override
  public void abandon(Throwable cause) {
    giveBack(EffectState.unknown(), cause);
  }

  @Override
  public void stopHeartbeat() {
    lease.close();
  }

  @Override
  public void close() {
    lease.close();
  }

  /**
   * Closes {@code permit} when the effect ends, or when its heartbeat stops and its end may never
   * be reported.
   */
  void holds(Permit permit) {
    lease.holds(permit);
  }

  /** Makes sure that the lease still runs before anything starts under it. */
  void requireHeld() {
    try {
      lease.requireHeld();
    } catch (OnceException e) {
      withdraw(EffectState.didNotHappen());
      throw e;
    }
  }

  /**
   * Ends an effect that threw {@code failure}: records its outcome if it happened, and otherwise
   * gives the grant back.
   *
   * @return the answer to the caller, null if the caller is to get the failure
   */
  @Nullable Result<T> failed(Throwable failure) {
    EffectState<T> state = classify(failure);
    if (state instanceof EffectState.Happened<T> it) {
      rememberAfter(failure, it);
      return new Result.Executed<>(key(), it.value(), it.failed());
    }
    giveBack(state, failure);
    return null;
  }

  /** Classifies an effect that threw {@code failure}: unknown if the policy throws too. */
  private EffectState<T> classify(Throwable failure) {
    try {
      return request.classify(failure);
    } catch (RuntimeException e) {
      suppress(failure, e);
      return EffectState.unknown();
    }
  }

  /** Calls the reconciler to find out whether an earlier owner's effect happened. */
  EffectState<T> reconcile() {
    try {
      return lease.whileInterruptible(request::reconcile);
    } catch (Throwable failure) {
      giveBack(EffectState.unknown(), failure);
      throw failure;
    }
  }

  /** Leaves the record uncertain, as it was. */
  void leaveUncertain() {
    // An interrupt is for the effect, not for the calls to the store.
    try {
      DeferredInterrupt.during(
          () -> {
            lease.stopBeats();
            store.renew(lease.grant(), Duration.ZERO);
          });
    } finally {
      lease.close();
    }
    publisher.publish(new EngineEvent.Uncertain(lease.key()));
  }

  /** Gives the grant back after an effect that did not happen, or may not have happened. */
  private void giveBack(EffectState<?> state, Throwable failure) {
    try {
      DeferredInterrupt.during(
          () -> {
            lease.stopBeats();
            giveBack(lease.grant(), state, failure, store, publisher);
          });
    } catch (StoreException e) {
      withdraw(state);
      suppress(failure, e);
    } catch (RuntimeException e) {
      // The lease runs out by itself; the effect's exception matters more to the caller.
      suppress(failure, e);
    } finally {
      lease.close();
    }
  }

  private void withdraw(EffectState<?> state) {
    heartbeat.withdraw(lease.grant(), mayHaveHappened(state));
  }

  static boolean mayHaveHappened(EffectState<?> state) {
    return state.<Boolean>fold(happened -> true, didNotHappen -> false, unknown -> true);
  }

  static void giveBack(
      Claim.Granted grant,
      EffectState<?> state,
      Throwable failure,
      RecordStore store,
      EngineEventPublisher publisher) {
    if (mayHaveHappened(state)) {
      store.renew(grant, Duration.ZERO);
      publisher.publish(new EngineEvent.Abandoned(grant.key(), grant.fence(), failure));
    } else {
      store.release(grant);
      publisher.publish(new EngineEvent.Released(grant.key(), grant.fence(), failure));
    }
  }

  private void rememberAfter(Throwable failure, EffectState.Happened<T> end) {
    try {
      remember(end);
    } catch (OnceException e) {
      suppress(e, failure);
      throw e;
    }
  }

  /**
   * Records the outcome of an effect that happened. If that fails, the grant stays: after a release
   * the next caller would execute the effect again at once. When the lease ends, the recovery
   * decides.
   */
  void remember(EffectState.Happened<T> end) {
    lease.settle();
    Claim.Granted grant = lease.grant();
    try {
      Outcome encoded = request.codec().encode(end.value());
      Outcome outcome = end.failed() ? encoded.asFailed() : encoded;
      complete(grant, outcome);
      publisher.completed(grant, outcome.failed(), lease.age());
    } catch (LeaseLostException e) {
      if (!lease.isLost()) {
        publisher.publish(new EngineEvent.LeaseLost(grant.key(), grant.fence(), e));
      }
      throw e;
    } catch (RuntimeException | VirtualMachineError e) { // Too deep, or out of memory.
      publisher.publish(new EngineEvent.OutcomeUnknown(grant.key(), grant.fence(), e));
      throw new OutcomeUnknownException(grant.key(), grant.fence(), e);
    } finally {
      lease.close();
    }
  }

  /**
   * Retries for at most {@code maxCompletionTime}, while the lease lasts; the heartbeat renews it.
   */
  private void complete(Claim.Granted grant, Outcome whole) {
    Terms terms = request.terms();
    Outcome outcome = whole.within(terms.maxPayloadBytes());
    Duration retention = terms.retentionOf(outcome);
    long sent = System.nanoTime();
    long deadline = sent + terms.maxCompletionTime().toNanos();
    long pause = FIRST_PAUSE_NANOS;
    try (DeferredInterrupt interrupt = DeferredInterrupt.begin()) {
      while (true) {
        try {
          store.complete(grant, outcome, retention);
          break;
        } catch (StoreException | OutOfMemoryError e) { // Memory may be free again soon.
          if (System.nanoTime() - deadline >= 0 || lease.leaseLost()) {
            throw e;
          }
        }
        interrupt.pause(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      }
    }
    guardedCache.keep(request, outcome, retention, sent);
  }

  /** A policy may throw the exception that it was given. */
  private static void suppress(Throwable failure, Throwable second) {
    if (!failure.equals(second)) {
      failure.addSuppressed(second);
    }
  }
}
