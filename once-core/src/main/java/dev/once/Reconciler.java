package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * Finds out whether an effect happened after its owner's lease ran out, by querying the system that
 * knows: the payment provider, the mail server. One reconciler of a key runs at a time, under a
 * grant of its own.
 */
@FunctionalInterface
public interface Reconciler<T extends @Nullable Object> {
  /** Finds out without causing the effect. */
  EffectState<T> reconcile(Execution execution);
}
