package dev.once;

import dev.once.internal.Limits;
import dev.once.spi.Claim;
import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordUsage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Executes effects once. {@link #run} claims a key, executes the effect unless it has happened,
 * records its outcome, and answers every later call from the record.
 *
 * <p>One engine serves any number of threads, operations and nested calls: it keeps no state of an
 * operation outside the store. Close it when it is no longer needed.
 */
public final class Once implements EffectRunner, AutoCloseable {
  private final ClaimingRunner calls;
  private final EngineEventPublisher publisher;
  private final LeasedRunner leased;
  private final Heartbeat heartbeat;
  private final GuardedCache guardedCache;
  private final AdmissionControl admissionControl;

  private Once(
      ClaimingRunner calls,
      EngineEventPublisher publisher,
      LeasedRunner leased,
      Heartbeat heartbeat,
      GuardedCache guardedCache,
      AdmissionControl admissionControl) {
    this.calls = calls;
    this.publisher = publisher;
    this.leased = leased;
    this.heartbeat = heartbeat;
    this.guardedCache = guardedCache;
    this.admissionControl = admissionControl;
  }

  /** An engine over {@code store}. */
  public static Once over(RecordStore store) {
    return builder(store).build();
  }

  /** An engine over {@code store} that notifies {@code listener}. */
  public static Once over(RecordStore store, OnceListener listener) {
    return builder(store).listener(listener).build();
  }

  /** Starts to build an engine over {@code store} with other than default settings. */
  public static Builder builder(RecordStore store) {
    return new Builder(store);
  }

  /**
   * Returns this engine for a transaction of the caller: claim, business writes and outcome become
   * visible in one commit or not at all. {@code transaction} is what a transactional store returns
   * for one open transaction, such as {@code JdbcRecordStore.within(connection)}; the result is for
   * that transaction only.
   *
   * <p>If the effect throws, its writes and the claim are undone and the caller's transaction
   * continues. The failure policy of a request is not used: nothing happened.
   *
   * <p>The result reads the transaction and never the cache; the caller can {@linkplain #recall
   * read the cache} before it opens a transaction.
   */
  public EffectRunner joining(RecordStore transaction) {
    return joining(transaction, afterCommit -> {});
  }

  /**
   * Like {@link #joining(RecordStore)}, for callers that know when the transaction is committed.
   * That must hold for the whole transaction: if a caller rolled back to a savepoint of its own and
   * committed the rest, the cache would replay an effect that never happened. For the same reason,
   * nested operations must use the engine of the enclosing operation, not another one in the same
   * transaction.
   *
   * @param afterCommit gets tasks to run after the transaction is committed, and drops them if it
   *     is rolled back; these tasks add outcomes to the cache
   */
  public EffectRunner joining(RecordStore transaction, Executor afterCommit) {
    Runner joined = new JoinedRunner(transaction, publisher, guardedCache, afterCommit);
    return new ClaimingRunner(
        ClaimSender.joined(transaction), publisher, joined, heartbeat, admissionControl);
  }

  /**
   * Answers from the cache alone: claims nothing and does not call the store. For callers that open
   * a transaction for each operation and need none to replay a cached outcome.
   *
   * @return the answer of an earlier call, empty if it is not cached
   * @throws IllegalStateException if this engine is closed
   */
  public <T extends @Nullable Object> Optional<Result<T>> recall(Request<T> request) {
    heartbeat.requireOpen();
    return guardedCache.find(request).map(it -> calls.answer(it, request));
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> run(
      Request<T> request, Effect<T, X> effect) throws X {
    Optional<Result<T>> cached = recall(request);
    return cached.isPresent() ? cached.get() : calls.run(request, effect);
  }

  /**
   * Claims like {@link #run}, and leaves the execution to the caller: for effects that do not end
   * on the thread that began them. The caller has to end what is returned, or its key stays held.
   *
   * @throws StoreException if the store failed: there is nothing to execute
   * @throws TenantLimitException if the tenant is at a limit: there is nothing to execute
   * @throws UnreadableOutcomeException if the effect happened before, and its outcome is there but
   *     cannot be read
   * @throws IllegalStateException if this engine is closed
   */
  public <T extends @Nullable Object> BeginResult<T> begin(Request<T> request) {
    Optional<Result<T>> cached = recall(request);
    if (cached.isPresent()) {
      return new BeginResult.Answered<>(cached.get());
    }
    return begin(request, calls.claim(request));
  }

  /**
   * Begins like {@link #begin(Request)}, for a caller that has just found the key held: waits for
   * the other call before it claims again, as long as the request's terms allow.
   */
  public <T extends @Nullable Object> BeginResult<T> begin(
      Request<T> request, Result.Held<T> held) {
    heartbeat.requireOpen();
    return begin(request, calls.claimAgain(request, held.leaseLeft()));
  }

  private <T extends @Nullable Object> BeginResult<T> begin(
      Request<T> request, ClaimAttempt claimAttempt) {
    try {
      return claimAttempt.claim() instanceof Claim.Granted grant
          ? leased.begin(claimAttempt, grant, request)
          : new BeginResult.Answered<>(calls.answer(claimAttempt.claim(), request));
    } catch (Throwable failure) {
      claimAttempt.permit().close();
      throw failure;
    }
  }

  /**
   * Runs an effect like {@link #run}, without blocking the calling thread: calls to the store run
   * on {@code executor}, and the effect may end on any thread. Cancelling the result does not stop
   * the effect.
   *
   * @param executor for calls that block, such as a cached pool or one of virtual threads
   * @return the result; or what {@link #run} would have thrown, as the cause of an {@link
   *     java.util.concurrent.ExecutionException} or {@link
   *     java.util.concurrent.CompletionException}
   * @throws java.util.concurrent.RejectedExecutionException if {@code executor} does not take the
   *     call: nothing ran
   */
  public <T extends @Nullable Object> CompletableFuture<Result<T>> runAsync(
      Request<T> request, AsyncEffect<T> effect, Executor executor) {
    CompletableFuture<Result<T>> result = new CompletableFuture<>();
    // The task starts what it was granted, although the caller may have cancelled the result.
    executor.execute(() -> AsyncRun.relay(start(request, effect, executor), result));
    return result;
  }

  private <T extends @Nullable Object> CompletableFuture<Result<T>> start(
      Request<T> request, AsyncEffect<T> effect, Executor executor) {
    try {
      BeginResult<T> begun = begin(request);
      return begun instanceof BeginResult.Answered<T> answered
          ? CompletableFuture.completedFuture(answered.result())
          : new AsyncRun<>((LeasedRun<T>) begun, executor).start(effect);
    } catch (Throwable failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  /**
   * Refuses new calls and waits for running effects, at most {@link Builder#drainTime}. Effects
   * that still run then lose their lease and are interrupted: another process may take over. An
   * interrupt of the calling thread does not shorten the wait, and is still set afterwards.
   */
  @Override
  public void close() {
    heartbeat.close();
  }

  /** Builds an engine. */
  public static final class Builder {
    /** Ordinary effects end within this time; a process that is stopped rarely gets more. */
    public static final Duration DEFAULT_DRAIN_TIME = Duration.ofSeconds(10);

    public static final Duration MAX_DRAIN_TIME = Duration.ofHours(1);

    private final RecordStore store;
    private OnceListener listener = OnceListener.NONE;
    private OutcomeCache cache = OutcomeCache.NONE;
    private Function<String, TenantLimits> limits = tenant -> TenantLimits.NONE;
    private Duration drainTime = DEFAULT_DRAIN_TIME;

    private Builder(RecordStore store) {
      this.store = store;
    }

    /** Notifies {@code listener} of what the engine does. */
    public Builder listener(OnceListener listener) {
      this.listener = listener;
      return this;
    }

    /** Reads {@code cache} before the store. */
    public Builder cache(OutcomeCache cache) {
      this.cache = cache;
      return this;
    }

    /**
     * Refuses new effects of a tenant that has reached one of {@code limits}.
     *
     * <p>The limit on effects in flight is exact and holds for this engine alone; a call that is
     * answered from a record counts while the store answers. Keys and bytes are counted over all
     * engines: they are measured at most every five seconds, and what this engine grants in between
     * is added. So a tenant may exceed a limit by what arrives within that time.
     *
     * @throws IllegalArgumentException if {@code limits} limit keys or bytes, and the store is no
     *     {@link RecordUsage}
     */
    public Builder limits(TenantLimits limits) {
      if (limits.needsUsage() && !(store instanceof RecordUsage)) {
        throw new IllegalArgumentException(
            "limits on keys or bytes need a store that is a RecordUsage, which %s is not"
                .formatted(store.getClass().getName()));
      }
      return limits(tenant -> limits);
    }

    /**
     * Limits that differ by tenant. Every call reads them, so {@code limits} has to answer from
     * memory; its exceptions reach the caller.
     */
    public Builder limits(Function<String, TenantLimits> limits) {
      this.limits = limits;
      return this;
    }

    /**
     * How long {@link Once#close} waits for running effects, {@link #DEFAULT_DRAIN_TIME} unless
     * set. With zero they lose their lease and are interrupted at once.
     */
    public Builder drainTime(Duration drainTime) {
      Limits.range("drain time", drainTime, Duration.ZERO, MAX_DRAIN_TIME);
      this.drainTime = drainTime;
      return this;
    }

    public Once build() {
      EngineEventPublisher publisher = new EngineEventPublisher(listener);
      Heartbeat heartbeat = new Heartbeat(store, publisher, drainTime);
      ClaimSender claims = ClaimSender.leased(store, heartbeat::withdraw);
      GuardedCache guardedCache = new GuardedCache(cache);
      LeasedRunner leased = new LeasedRunner(store, heartbeat, publisher, guardedCache);
      AdmissionControl admissionControl = new AdmissionControl(limits, store, System::nanoTime);
      ClaimingRunner calls =
          new ClaimingRunner(claims, publisher, leased, heartbeat, admissionControl);
      return new Once(calls, publisher, leased, heartbeat, guardedCache, admissionControl);
    }
  }
}
