package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * Finds out what became of an effect whose owner vanished, by asking whoever knows: the payment
 * provider, the mail server. One reconciler of a key runs at a time, under a grant of its own.
 */
@FunctionalInterface
public interface Reconciler<T extends @Nullable Object> {
  /** Asks without causing the effect. */
  EffectState<T> ask(Execution execution);
}
