package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * Finds out whether an effect happened after its owner's lease ran out, by querying the system that
 * knows: the payment provider, the mail server. One reconciler of a key runs at a time, under a
 * grant of its own.
 */
@FunctionalInterface
public interface Reconciler<T extends @Nullable Object> {
  /**
   * Finds out without causing the effect.
   *
   * @throws Exception if it cannot find out: the key stays uncertain. The caller gets an unchecked
   *     exception as it is, and any other as the cause of a {@link ReconciliationException}
   */
  EffectState<T> reconcile(Execution execution) throws Exception;
}
