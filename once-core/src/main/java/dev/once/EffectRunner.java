package dev.once;

import org.jspecify.annotations.Nullable;

/** Executes effects once: an engine, or an engine joined to one transaction of the caller. */
public interface EffectRunner {
  /**
   * Executes {@code effect} unless it has happened, and otherwise answers from the record.
   *
   * @throws X what the effect threw, unwrapped
   * @throws StoreException if the store failed before the effect: it did not run
   * @throws TenantLimitException if the tenant is at a limit: the effect did not run
   * @throws UnreadableOutcomeException if the effect happened before, and its outcome is there but
   *     cannot be read: it did not run again
   * @throws OutcomeUnknownException if the effect ran and its outcome could not be recorded
   * @throws LeaseLostException if another call took over before this one could record its outcome
   * @throws IllegalStateException if the engine is closed
   */
  <T extends @Nullable Object, X extends Exception> Result<T> run(
      Request<T> request, Effect<T, X> effect) throws X;
}
