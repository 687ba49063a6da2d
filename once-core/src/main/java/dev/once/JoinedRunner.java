package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Executes effects inside the caller's transaction. There is no lease to keep and nothing to
 * recover: until the commit the claim is visible to nobody, and a rollback undoes it with the rest.
 */
final class JoinedRunner implements Runner {
  private final RecordStore store;
  private final Announcer announcer;
  private final Nearby nearby;
  private final Executor afterCommit;

  JoinedRunner(RecordStore store, Announcer announcer, Nearby nearby, Executor afterCommit) {
    this.store = store;
    this.announcer = announcer;
    this.nearby = nearby;
    this.afterCommit = afterCommit;
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> execute(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    announcer.granted(grant);
    try {
      return run(grant, sentNanos, request, effect);
    } catch (Throwable failure) {
      undo(grant, failure);
      throw failure;
    }
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> reconcile(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    announcer.granted(grant);
    try {
      return askAndRun(grant, sentNanos, request, effect);
    } catch (Throwable failure) {
      undo(grant, failure);
      throw failure;
    }
  }

  private <T extends @Nullable Object, X extends Exception> Result<T> run(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    T value = effect.execute(Joined.under(grant));
    complete(grant, sentNanos, request, request.codec().encode(value));
    return new Result.Executed<>(request.key(), value);
  }

  private <T extends @Nullable Object, X extends Exception> Result<T> askAndRun(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X {
    Verdict<T> verdict = request.ask(Joined.under(grant));
    if (verdict instanceof Verdict.Happened<T> it) {
      Outcome outcome = request.codec().encode(it.value());
      complete(grant, sentNanos, request, it.failed() ? outcome.asFailed() : outcome);
      return new Result.Replayed<>(grant.key(), it.value(), request.correlation());
    }
    if (verdict instanceof Verdict.DidNotHappen) {
      return run(grant, sentNanos, request, effect);
    }
    store.release(grant); // Undoes the take-over: the record is as uncertain as it was.
    announcer.tell(new OnceEvent.Uncertain(grant.key()));
    return new Result.Uncertain<>(grant.key());
  }

  private void complete(Claim.Granted grant, long sentNanos, Request<?> request, Outcome whole) {
    Terms terms = request.terms();
    Outcome outcome = whole.within(terms.maxPayloadBytes());
    Duration retention = terms.retentionOf(outcome);
    long sent = System.nanoTime();
    store.complete(grant, outcome, retention);
    afterCommit.execute(() -> nearby.keep(request, outcome, retention, sent));
    Duration took = Duration.ofNanos(System.nanoTime() - sentNanos);
    announcer.completed(grant, outcome.failed(), took);
  }

  private void undo(Claim.Granted grant, Throwable failure) {
    try {
      store.release(grant);
      announcer.tell(new OnceEvent.Released(grant.key(), grant.fence(), failure));
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
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
