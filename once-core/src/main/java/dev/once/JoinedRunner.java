package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Executes effects inside the caller's transaction. There is no lease to renew and nothing to
 * recover: no other transaction sees the claim before the commit, and a rollback undoes it too.
 *
 * <p>If an effect fails, what the effects nested in it completed is undone, although the caller may
 * still commit the transaction. So an outcome goes to {@code afterCommit}, and from there to the
 * cache, only when the outermost effect has completed. Like the transaction, this is for one thread
 * at a time.
 */
final class JoinedRunner implements Runner {
  private final RecordStore store;
  private final EngineEventPublisher publisher;
  private final GuardedCache guardedCache;
  private final Executor afterCommit;
  private final List<Runnable> completed = new ArrayList<>();
  private int depth;

  JoinedRunner(
      RecordStore store,
      EngineEventPublisher publisher,
      GuardedCache guardedCache,
      Executor afterCommit) {
    this.store = store;
    this.publisher = publisher;
    this.guardedCache = guardedCache;
    this.afterCommit = afterCommit;
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> execute(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    return undoing(grant, () -> run(grant, sentNanos, request, effect));
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> reconcile(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    return undoing(grant, () -> reconcileAndRun(grant, sentNanos, request, effect));
  }

  private <R, X extends Exception> R undoing(Claim.Granted grant, Step<R, X> step) throws X {
    publisher.granted(grant);
    int before = completed.size();
    depth++;
    R result;
    try {
      result = step.take();
    } catch (Throwable failure) {
      undo(grant, failure);
      completed.subList(before, completed.size()).clear();
      throw failure;
    } finally {
      depth--;
    }
    if (depth == 0) {
      completed.forEach(afterCommit::execute);
      completed.clear();
    }
    return result;
  }

  private <T extends @Nullable Object, X extends Exception> Result<T> run(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    T value = effect.execute(Joined.under(grant));
    complete(grant, sentNanos, request, request.codec().encode(value));
    return new Result.Executed<>(request.key(), value);
  }

  private <T extends @Nullable Object, X extends Exception> Result<T> reconcileAndRun(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    EffectState<T> state = request.reconcile(Joined.under(grant));
    if (state instanceof EffectState.Happened<T> it) {
      Outcome outcome = request.codec().encode(it.value());
      complete(grant, sentNanos, request, it.failed() ? outcome.asFailed() : outcome);
      return new Result.Replayed<>(grant.key(), it.value(), request.correlation(), it.failed());
    }
    if (state instanceof EffectState.DidNotHappen) {
      return run(grant, sentNanos, request, effect);
    }
    if (state instanceof EffectState.Unknown) {
      store.release(grant); // Undoes the take-over: the record stays uncertain.
      publisher.publish(new EngineEvent.Uncertain(grant.key()));
      return new Result.Uncertain<>(grant.key());
    }
    throw new AssertionError("unhandled state " + state);
  }

  private void complete(Claim.Granted grant, long sentNanos, Request<?> request, Outcome whole) {
    Terms terms = request.terms();
    Outcome outcome = whole.within(terms.maxPayloadBytes());
    Duration retention = terms.retentionOf(outcome);
    long sent = System.nanoTime();
    store.complete(grant, outcome, retention);
    completed.add(() -> guardedCache.keep(request, outcome, retention, sent));
    Duration took = Duration.ofNanos(System.nanoTime() - sentNanos);
    publisher.completed(grant, outcome.failed(), took);
  }

  private void undo(Claim.Granted grant, Throwable failure) {
    try {
      store.release(grant);
      publisher.publish(new EngineEvent.Released(grant.key(), grant.fence(), failure));
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** The steps under one grant. */
  private interface Step<R, X extends Exception> {
    R take() throws X;
  }

  private record Joined(Key key, long fence, int attempt) implements Execution {
    static Joined under(Claim.Granted grant) {
      return new Joined(grant.key(), grant.fence(), grant.attempt());
    }

    @Override
    public boolean leaseLost() {
      return false;
    }
  }
}
